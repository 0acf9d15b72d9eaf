/** Tests incomplete lists: when they are an error, and what the node reports. */
import { ServerError } from '../../../../src/client/errors';
import { DistinctRows } from '../../../../src/run/listing/distinct-rows';
import {
  formatGaps,
  getGaps,
  createIncompleteListError,
  isNearlyComplete,
  formatNoSecondScan,
  formatShortfall,
  withGaps,
} from '../../../../src/run/listing/incomplete';

const BROKEN = { code: 'broken', message: 'Broken', hint: '-' };

it.each<[read: number, total: number | undefined, isEnough: boolean]>([
  [0, 0, true],
  [0, undefined, true],
  [0, 1, false],
  [1, 2, true],
  [1, 3, false],
  [99, 100, true],
  [98, 100, false],
  [990, 1000, true],
  [989, 1000, false],
  [101, 100, true],
])('decides whether %i of %p rows are a nearly complete list: %p', (read, total, isEnough) => {
  expect(isNearlyComplete(read, total)).toBe(isEnough);
});

it('creates a list_incomplete error with the figures of the list', () => {
  expect(createIncompleteListError('members', 3, 9)).toMatchObject({
    code: 'list_incomplete',
    message: 'The list could not be read completely: only 3 of 9 members arrived',
    details: { read: 3, total: 9 },
  });
  expect(createIncompleteListError('members', 3, undefined).details).toEqual({ read: 3 });
});

describe('a failure with missing rows', () => {
  const failure = new ServerError({ ...BROKEN, details: { a: 1 } });

  it('lists the missing ranges of rows', () => {
    const gaps = [{ first: 101, last: 1200 }, { first: 1801 }];
    const error = withGaps(failure, gaps);
    expect(error.details).toEqual({ a: 1, missing_rows: gaps });
    expect(formatGaps(getGaps(error))).toBe('missing: rows 101 to 1,200, rows from 1,801');
    expect(getGaps(failure)).toEqual([]);
  });
});

describe('a warning about an incomplete list', () => {
  const rowsTaken = (taken: number, again = 0) => {
    const distinct = new DistinctRows(({ id }) => String(id), Infinity, Infinity);
    const rows = Array.from({ length: taken }, (_one, id) => ({ id }));
    distinct.take(rows);
    distinct.take(rows.slice(0, again));
    return distinct;
  };

  it.each<[taken: number, again: number, totals: number[], text: string]>([
    [7, 0, [9], 'The service reported 9 rows in the list, but returned 7.'],
    [
      7,
      2,
      [8, 9],
      'The service reported 8, then 9 rows in the list, but returned 7. Rows that arrived twice and were skipped the second time: 2.',
    ],
    [
      9,
      0,
      [8, 9],
      'The service reported 8, then 9 rows in the list and returned 9. The list changed while the node read it, so some rows may be missing.',
    ],
  ])('reports %i rows, %i of them repeated, and the totals %j', (taken, again, totals, text) => {
    const expected = totals.at(-1) ?? 0;
    expect(formatShortfall(rowsTaken(taken, again), new Set(totals), expected)).toBe(text);
  });

  it('names the reason why a second pass failed', () => {
    expect(formatNoSecondScan(rowsTaken(7), new ServerError(BROKEN))).toBe(
      'The list changed while the node read it. The node returned these 7 rows but could not finish a second pass for missed rows: Broken.',
    );
  });
});
