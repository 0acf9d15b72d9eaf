/**
 * Tests which ranges of rows the node requests for a list, in order, and what they cost. Each row
 * of the tables is one service and one way to read it.
 */
import { ServiceError } from '../../../../src/client/errors';
import { getGaps } from '../../../../src/run/listing/incomplete';
import type { PageRange } from '../../../../src/run/listing/listing';
import { ListService, readList, type Reading, type Sends } from './list-service';

type Given = Omit<Sends, 'count'> & Reading;

/** Describes requests: `0+3×100` stands for three pages of 100 rows from row 0 on. */
function formatPages(pages: readonly PageRange[]): string {
  const series: Array<{ from: number; limit: number; times: number }> = [];
  for (const { from, limit } of pages) {
    const last = series.at(-1);
    if (last?.limit === limit && from === last.from + last.times * limit) last.times += 1;
    else series.push({ from, limit, times: 1 });
  }
  return series
    .map(({ from, limit, times }) => `${from}+${times > 1 ? `${times}×` : ''}${limit}`)
    .join(' ');
}

/** Formats numbers as ranges: `0-99 150`. */
function toRanges(numbers: readonly number[]): string {
  const ranges: Array<[number, number]> = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([a, b]) => (a === b ? String(a) : `${a}-${b}`)).join(' ');
}

/**
 * Reads a list and describes the read in one line. The line has the requests (first row and number
 * of rows), the output IDs, and the credits that the run counts, unless it counts 1 per row. The
 * error code, or the start of the warning, and the missing rows follow.
 */
async function describeRead(count: number, given: Given): Promise<string> {
  const service = new ListService({ count, ...given });
  const { credits, failure, out, warnings } = await readList(service, given);
  expect(credits.available).toBe(
    given.maxCredits === undefined ? Infinity : given.maxCredits - credits.maxSpent,
  );
  const error = failure instanceof ServiceError ? failure : undefined;
  const gaps = error === undefined ? [] : getGaps(error);
  const missing = gaps.map(({ first, last = '' }) => `${first}-${last}`).join(' ');
  return [
    `${formatPages(service.requests)} → ${toRanges(out)}`,
    credits.maxSpent === out.length ? undefined : `${credits.maxSpent} credits`,
    error?.code ?? warnings.map((text) => text.split(/[.,;]/)[0]).join(', then '),
    missing === '' ? undefined : `missing ${missing}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

const GROWS = { moves: [{ before: 2, at: 0, rows: 1 }] };
/** List members, if the service says nothing about further rows. */
const SILENT = { by: 'offset', says: 'nothing', statesLimit: false } as const;
const SHRINKS = { moves: [{ before: 2, at: 0, rows: -1 }] };

const CASES: Record<string, Array<[count: number, given: Given, outcome: string]>> = {
  'A list by page': [
    [0, {}, '0+100 → '],
    [0, { says: 'nothing' }, '0+100 → '],
    [250, {}, '0+3×100 → 0-249'],
    [250, { says: 'total' }, '0+3×100 → 0-249'],
    [250, { says: 'more' }, '0+3×100 → 0-249'],
    [250, { says: 'nothing' }, '0+3×100 → 0-249'],
    // The empty page marks the end.
    [200, { says: 'nothing' }, '0+3×100 → 0-199'],
    [1250, { wanted: 330 }, '0+3×100 300+30 → 0-329'],
    [250, { skip: 200, wanted: 120 }, '200+100 → 200-249'],
    [10, { skip: 200 }, '200+100 → '],
    [5000, { size: 10_000, streamed: true }, '0+3×2000 → 0-4999'],
  ],
  'A list of a service with smaller pages': [
    [90, { cap: 30 }, '0+100 30+2×30 → 0-89'],
    // The first page begins at row 30, not at row 40.
    [90, { cap: 30, skip: 40 }, '40+40 40+20 60+30 → 40-89, 60 credits'],
    [100, { cap: 3, skip: 60, wanted: 4 }, '60+4 60+3 63+1 → 60-63, 7 credits'],
    [62, { cap: 3, skip: 60 }, '60+60 60+3 → 60-61, 5 credits'],
    [62, { cap: 3, skip: 60, statesLimit: true }, '60+60 60+3 → 60-61, 5 credits'],
    [6, { cap: 3, skip: 60, says: 'more' }, '60+60 60+3 → , 3 credits'],
  ],
  'A list with Max Credits': [
    [80, { maxCredits: 100 }, '0+100 → 0-79'],
    [80, { maxCredits: 80 }, '0+80 → 0-79'],
    [81, { maxCredits: 80 }, '0+80 → 0-79, The credits covered 80 of 81 rows'],
    [3000, { maxCredits: 250 }, '0+2×100 200+50 → 0-249, The credits covered 250 of 3'],
    [300, { maxCredits: 60, wanted: 90 }, '0+60 → 0-59, The credits covered 60 of 90 rows'],
    [500, { maxCredits: 20, wanted: 20 }, '0+20 → 0-19'],
    [
      250,
      { maxCredits: 30, skip: 200 },
      '200+25 225+5 → 200-229, The credits covered 30 of 50 rows',
    ],
    [
      95,
      { says: 'more', maxCredits: 90 },
      '0+90 → 0-89, The credits covered only the first 90 rows',
    ],
    [
      95,
      { says: 'nothing', maxCredits: 95 },
      '0+95 → 0-94, The credits covered only the first 95 rows',
    ],
    [
      300,
      { ...GROWS, maxCredits: 150 },
      '0+100 100+50 → 0-148, 150 credits, The credits covered 149 of 301 rows, then The service reported 300',
    ],
    [10, { maxCredits: 0 }, ' → , max_credits'],
    [250, { isFree: true, maxCredits: 1 }, '0+3×100 → 0-249, 0 credits'],
    // Only the whole list is usable.
    [250, { maxCredits: 249, whole: true }, '0+100 → 0-99, max_credits'],
    [
      250,
      { maxCredits: 249, whole: true, says: 'more' },
      '0+2×100 200+40 240+8 248+1 → 0-248, max_credits',
    ],
  ],
  'A list that changes': [
    [250, GROWS, '0+3×100 → 0-249, 251 credits, The service reported 250'],
    [
      250,
      { ...GROWS, wanted: 220 },
      '0+2×100 200+20 220+1 → 0-219, 221 credits, The service reported 250',
    ],
    [
      250,
      { ...GROWS, says: 'more' },
      '0+3×100 → 0-249, 251 credits, The list changed while the node read it',
    ],
    [250, SHRINKS, '0+3×100 → 0-99 101-249, The service reported 250'],
    [250, { ...SHRINKS, whole: true }, '0+3×100 → 0-99 101-249, list_incomplete'],
    [250, { ...GROWS, says: 'more', whole: true }, '0+3×100 → 0-249, 251 credits, list_incomplete'],
  ],
  'A list with a wrong total': [
    [
      250,
      { says: 'total', total: 300 },
      '0+3×100 → 0-249, The service reported 300 rows in the list',
    ],
    // More than one of a hundred is missing.
    [250, { says: 'total', total: 260, whole: true }, '0+3×100 → 0-249, list_incomplete'],
    // It is one too high.
    [250, { says: 'total', total: 251, whole: true }, '0+3×100 → 0-249'],
    // It is capped.
    [250, { says: 'total', total: 100, whole: true }, '0+3×100 → 0-249'],
    [250, { total: 100 }, '0+3×100 → 0-249'],
    ...[400, 413, 422].map((refusedWith): [number, Given, string] => [
      200,
      { says: 'total', whole: true, refusedFrom: 200, refusedWith },
      '0+3×100 → 0-199',
    ]),
  ],
  'A list that repeats its first page': [
    [
      250,
      { ignoresPaging: true },
      '0+3×100 → 0-99, 300 credits, The service reported 250 rows in the list',
    ],
    [
      250,
      { ignoresPaging: true, says: 'more' },
      '0+2×100 → 0-99, 200 credits, The list may have more than these 100 rows',
    ],
    [
      250,
      { ignoresPaging: true, ...SILENT },
      '0+2×100 → 0-99, 200 credits, The list may have more than these 100 rows',
    ],
    [
      50,
      { ignoresPaging: true, ...SILENT },
      '0+100 50+50 → 0-49, 100 credits, The list may have more than these 50 rows',
    ],
    // Reading it again would not help, so a trigger has to fail instead of skipping each poll.
    [
      50,
      { ignoresPaging: true, ...SILENT, isAnonymous: true, whole: true },
      '0+100 50+50 → 0-49, 100 credits, paging_ignored',
    ],
  ],
  'A list with failing pages': [
    [
      500,
      { broken: [100] },
      '0+3×100 → 0-99 200-299, 300 credits, broken, missing 101-200 301-500',
    ],
    [500, { broken: [0] }, '0+100 → , 100 credits, broken'],
    // All pages were sent when the second one fails.
    [
      650,
      { broken: [100, 600], delays: [9, 9, 40] },
      '0+7×100 → 0-99 200-599, 700 credits, broken, missing 101-200 601-650',
    ],
    [650, { broken: [600] }, '0+7×100 → 0-599, 700 credits, broken, missing 601-650'],
    [500, { broken: [100], says: 'more' }, '0+2×100 → 0-99, 200 credits, broken, missing 101-'],
    // The service promised more rows, so this is not the end.
    [500, { refusedFrom: 100, says: 'more' }, '0+2×100 → 0-99, http_422, missing 101-'],
  ],
  'A list by offset': [
    [250, { by: 'offset' }, '0+3×100 → 0-249'],
    [250, { by: 'offset', cap: 40 }, '0+100 40+6×40 → 0-249'],
    // A short page may be a full one of a service with smaller pages.
    [50, SILENT, '0+100 50+50 → 0-49'],
    [250, { ...SILENT, cap: 40 }, '0+100 40+6×40 250+40 → 0-249'],
    [250, { ...SILENT, cap: 40, isAnonymous: true }, '0+100 40+6×40 250+40 → 0-249'],
    [50, { ...SILENT, refusedFrom: 50 }, '0+100 50+50 → 0-49'],
    [100, { ...SILENT, refusedFrom: 100 }, '0+2×100 → 0-99, http_422, missing 101-'],
    [250, { by: 'offset', skip: 33, wanted: 50 }, '33+50 → 33-82'],
    [
      250,
      { by: 'offset', maxCredits: 130 },
      '0+100 100+30 → 0-129, The credits covered 130 of 250 rows',
    ],
  ],
};

describe.each(Object.entries(CASES))('%s', (_group, cases) => {
  it.each(cases)(
    'of %i rows requests the expected ranges for %j',
    async (count, given, outcome) => {
      expect(await describeRead(count, given)).toBe(outcome);
    },
  );
});
