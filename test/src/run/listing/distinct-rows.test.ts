/** Tests rows that arrive twice, and lists whose pages repeat. */
import { DistinctRows } from '../../../../src/run/listing/distinct-rows';

const idOf = ({ id }: Record<string, unknown>) => (typeof id === 'number' ? `id:${id}` : undefined);
const rowsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_one, index) => ({ id: from + index }));
const idsOf = (rows: ReadonlyArray<Record<string, unknown>>) => rows.map(({ id }) => id);

it('passes each row on once and counts the rows that it skips', () => {
  const distinct = new DistinctRows(idOf, Infinity, Infinity);
  expect(idsOf(distinct.take(rowsOf(0, 5)))).toEqual([0, 1, 2, 3, 4]);
  expect(idsOf(distinct.take(rowsOf(3, 7)))).toEqual([5, 6]);
  expect([distinct.taken, distinct.repeated]).toEqual([7, 2]);
});

it('passes on only as many rows as are wanted', () => {
  const distinct = new DistinctRows(idOf, 6, Infinity);
  distinct.take(rowsOf(0, 4));
  expect(distinct.missing).toBe(2);
  expect(idsOf(distinct.take(rowsOf(4, 9)))).toEqual([4, 5]);
  expect([distinct.taken, distinct.missing]).toEqual([6, 0]);
});

it('keeps equal rows of one page, and all rows if there is no ID reader', () => {
  expect(new DistinctRows(idOf, Infinity, Infinity).take([{ id: 1 }, { id: 1 }])).toHaveLength(2);
  const unknown = new DistinctRows(undefined, Infinity, Infinity);
  unknown.take(rowsOf(0, 3));
  expect(unknown.take(rowsOf(0, 3))).toHaveLength(3);
});

it('passes on and counts only new rows in a second scan', () => {
  const distinct = new DistinctRows(idOf, Infinity, Infinity);
  distinct.take(rowsOf(0, 5));
  expect(distinct.countNew(rowsOf(3, 7))).toBe(2);
  expect(idsOf(distinct.takeOnSecondScan(rowsOf(3, 7)))).toEqual([5, 6]);
  expect(distinct.countNew(rowsOf(3, 7))).toBe(0);
});

it.each([
  ['a page that repeats the only one', '0-40 0-40', 1],
  ['a page that repeats the first one', '0-40 40-80 0-40', 2],
  ['a page that repeats the previous one', '0-40 40-80 40-80', 2],
  ['the second page in a row without a new row', '0-40 40-80 10-50 20-60', 3],
  ['no page if only one has no new row', '0-40 40-80 10-50 60-100 20-60', undefined],
  ['no empty page', '0-40 0-0 0-0', undefined],
  ['no page with one new row of 16', '0-16 1-17', undefined],
])('is stuck at %s: %s', (_what, pages, stuckAt) => {
  const distinct = new DistinctRows(idOf, Infinity, Infinity);
  const stuck = pages.split(' ').map((page) => {
    const [from = 0, to = 0] = page.split('-').map(Number);
    const rows = rowsOf(from, to);
    const isStuck = distinct.isStuckAt(rows);
    distinct.take(rows);
    return isStuck;
  });

  expect(stuck).toEqual(stuck.map((_isStuck, index) => index === stuckAt));
});

describe('the memory of row IDs', () => {
  it('is no longer complete when the list has more IDs than it keeps', () => {
    const distinct = new DistinctRows(idOf, Infinity, 10);
    distinct.take(rowsOf(0, 20));
    expect(distinct.complete).toBe(true);
    distinct.take(rowsOf(20, 21));
    expect(distinct.complete).toBe(false);
  });

  it('keeps at least the latest IDs when it is limited', () => {
    const distinct = new DistinctRows(idOf, Infinity, 10);
    for (let from = 0; from < 1000; from += 5) distinct.take(rowsOf(from, from + 5));
    expect(distinct.take(rowsOf(990, 1000))).toEqual([]);
    expect(distinct.take(rowsOf(0, 5))).toHaveLength(5);
  });

  it('keeps all of 10,000 IDs when it is unlimited', () => {
    const distinct = new DistinctRows(idOf, Infinity, Infinity);
    distinct.take(rowsOf(0, 10_000));
    expect(distinct.take(rowsOf(0, 10_000))).toEqual([]);
    expect(distinct.take(rowsOf(10_000, 10_100))).toHaveLength(100);
  });
});
