/**
 * Tests which ranges of rows the node requests for a list, in order, and what they cost. Each row
 * of the tables is one service and one way to read it.
 */
import { BadRequestError, ServerError, ServiceError } from '../../../../src/client/errors';
import { CreditBudget } from '../../../../src/run/credit-budget';
import { getGaps } from '../../../../src/run/listing/incomplete';
import { readListing, type RowRange } from '../../../../src/run/listing/listing';
import { offsetPaging, pageNumberPaging, type PageRange } from '../../../../src/run/listing/paging';
import type { Page } from '../../../../src/run/responses/page';
import { drain, pageWith, runWith } from './support';

interface Service {
  /** Number of rows; an object gives it from request number N on. */
  readonly rows: number | Readonly<Record<number, number>>;
  /** The largest page. */
  readonly cap?: number;
  /** How the service responds to a `limit` above `cap`. */
  readonly overCap?: 'fewer rows' | 'refused';
  /** Which fields the service sends next to the rows; both by default. */
  readonly says?: 'total' | 'has_next' | 'both' | 'nothing';
  /** First rows of pages that always fail. */
  readonly broken?: readonly number[];
  /** Where rows are inserted or removed: at the end (default) or at the start. */
  readonly grows?: 'at the end' | 'at the start';
}

type Given = Omit<Service, 'rows'> & Reading;

interface Reading extends Partial<RowRange> {
  readonly paging?: 'page' | 'offset';
  readonly maxCredits?: number;
  readonly isFree?: boolean;
}

const PAGE = 100;

function serve({ rows: given, cap = 1000, overCap, says = 'both', broken = [], grows }: Service) {
  const requests: PageRange[] = [];
  const counts = typeof given === 'number' ? { 1: given } : given;
  const initial = counts[1] ?? 0;
  let count = initial;
  const answer = async (slice: PageRange): Promise<Page> => {
    const { limit, query } = slice;
    requests.push(slice);
    count = counts[requests.length] ?? count;
    const now = count;
    await Promise.resolve();
    if (broken.includes(slice.from)) {
      throw new ServerError({ code: 'broken', message: 'Broken', hint: 'Wait.', status: 500 });
    }
    if (limit > cap && overCap === 'refused') {
      throw new BadRequestError({ code: 'http_400', message: 'No', hint: '-', status: 400 });
    }
    const size = Math.min(limit, cap);
    // If the service returns smaller pages than requested, a page number starts at another row.
    const from = query.page === undefined ? slice.from : (Number(query.page) - 1) * size;
    const begin = grows === 'at the start' ? initial - now : 0;
    const ids = Array.from({ length: now }, (_one, index) => begin + index);
    const rows = ids.slice(from, from + size).map((id) => ({ id }));
    return pageWith(rows, {
      totalResults: says === 'total' || says === 'both' ? now : undefined,
      hasNext: says === 'has_next' || says === 'both' ? from + size < now : undefined,
    });
  };
  return { requests, answer };
}

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
async function read(given: Service & Reading): Promise<string> {
  const { requests, answer } = serve(given);
  const { paging = 'page', maxCredits, ...reading } = given;
  const credits = new CreditBudget(maxCredits);
  const warnings: string[] = [];
  const pages = readListing(
    {
      wanted: undefined,
      ...reading,
      paging: paging === 'page' ? pageNumberPaging(PAGE) : offsetPaging,
      idOf: ({ id }) => String(id),
      fetch: async (slice, _first, { beforeSend }) => {
        beforeSend?.();
        return await answer(slice);
      },
    },
    runWith(credits, warnings),
  );
  const { rows, failure } = await drain(pages);
  expect(credits.available).toBe(
    maxCredits === undefined ? Infinity : maxCredits - credits.maxSpent,
  );
  const error = failure instanceof ServiceError ? failure : undefined;
  const gaps = error === undefined ? [] : getGaps(error);
  const missing = gaps.map(({ first, last = '' }) => `${first}-${last}`).join(' ');
  const ids = toRanges(rows.map(({ id }) => Number(id)));
  return [
    `${formatPages(requests)} → ${ids}`,
    credits.maxSpent === rows.length ? undefined : `${credits.maxSpent} credits`,
    error?.code ?? warnings[0]?.split(/[.,]/)[0],
    missing === '' ? undefined : `missing ${missing}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** The start of the warning about a list that changed. */
const CHANGED = 'The list changed while the node read it';

/** What the cases of a group have in common. */
const COMMON: Record<string, Given> = {
  'A list with a failing page whose other rows are kept': { keepsArrived: true },
  'A list that gets rows at its start after the first page': { grows: 'at the start' },
  'A list that is read by offset': { paging: 'offset' },
};

const CASES: Record<string, Array<[rows: Service['rows'], given: Given, outcome: string]>> = {
  'A list without Max Credits': [
    [0, {}, '0+100 → '],
    [0, { says: 'nothing' }, '0+100 → '],
    [250, {}, '0+3×100 → 0-249'],
    [250, { says: 'total' }, '0+3×100 → 0-249'],
    [250, { says: 'has_next' }, '0+3×100 → 0-249'],
    [250, { says: 'nothing' }, '0+3×100 → 0-249'],
    // The empty page marks the end.
    [200, { says: 'nothing' }, '0+3×100 → 0-199'],
    [1250, { wanted: 330 }, '0+3×100 300+30 → 0-329'],
    [250, { skip: 200, wanted: 120 }, '200+100 → 200-249'],
    [10, { skip: 200 }, '200+100 → '],
    [90, { cap: 30 }, '0+100 30+2×30 → 0-89'],
    [90, { cap: 30, skip: 40 }, '40+40 40+20 60+30 → 40-89, 80 credits'],
  ],
  'A list with Max Credits': [
    [80, { maxCredits: 100 }, '0+100 → 0-79'],
    // A probe of one row shows the total.
    [80, { maxCredits: 90 }, '0+1 0+80 → 0-79'],
    [80, { maxCredits: 80 }, '0+1 0+79 79+1 → 0-79'],
    // A refused list costs one credit, or one page that the credits covered.
    [81, { maxCredits: 80 }, '0+1 → , 1 credits, max_credits_reached'],
    [250, { maxCredits: 250 }, '0+2×100 200+50 → 0-249'],
    [250, { maxCredits: 249 }, '0+100 → 0-99, max_credits_reached'],
    // Very few credits.
    [0, { maxCredits: 1 }, '0+1 → '],
    [1, { maxCredits: 1 }, '0+1 → 0'],
    [2, { maxCredits: 1 }, '0+1 → , 1 credits, max_credits_reached'],
    [2, { maxCredits: 2 }, '0+1 0+2×1 → 0-1'],
    // With a Limit, no probe is needed.
    [500, { maxCredits: 20, wanted: 20 }, '0+20 → 0-19'],
    [10, { maxCredits: 20, wanted: 30 }, ' → , max_credits_reached'],
    [250, { maxCredits: 90, skip: 200 }, '200+1 200+50 → 200-249'],
    [250, { maxCredits: 49, skip: 200 }, '200+1 → , 1 credits, max_credits_reached'],
    // Without a total, the row after the covered ones shows whether the list is longer.
    [80, { says: 'has_next', maxCredits: 90 }, '0+1 90+1 0+89 → 0-79'],
    [90, { says: 'has_next', maxCredits: 90 }, '0+1 90+1 0+89 89+1 → 0-89'],
    [95, { says: 'has_next', maxCredits: 90 }, '0+1 90+1 → , 2 credits, max_credits_reached'],
    [
      95,
      { says: 'has_next', maxCredits: 90, keepsArrived: true },
      '0+1 90+1 → 0 90, max_credits_reached, missing 2-90 92-',
    ],
    [180, { says: 'nothing', maxCredits: 190 }, '0+100 190+1 100+50 150+30 180+10 → 0-179'],
    [200, { says: 'nothing', maxCredits: 200 }, '0+100 200+1 100+100 → 0-199'],
    [
      180,
      { says: 'nothing', maxCredits: 150 },
      '0+100 150+1 → 0-99, 101 credits, max_credits_reached',
    ],
    // A free list needs no credits.
    [250, { isFree: true, maxCredits: 1 }, '0+3×100 → 0-249, 0 credits'],
  ],
  'A list whose end changes after the first page': [
    [{ 1: 250, 2: 260 }, { maxCredits: 300 }, `0+3×100 → 0-259, ${CHANGED}`],
    // The node spends the remaining credits.
    [{ 1: 250, 2: 260 }, { maxCredits: 255 }, `0+2×100 200+50 250+5 → 0-254, ${CHANGED}`],
    // A probe found no row after the covered ones.
    [
      { 1: 80, 3: 100 },
      { says: 'has_next', maxCredits: 90 },
      '0+1 90+1 0+89 89+1 → 0-89, The list grew while the node read it',
    ],
    [
      { 1: 80, 3: 100 },
      { says: 'has_next', maxCredits: 90, whole: true },
      '0+1 90+1 0+89 89+1 → 0-89, list_incomplete',
    ],
    [{ 1: 80, 3: 90 }, { says: 'has_next', maxCredits: 90 }, '0+1 90+1 0+89 89+1 → 0-89'],
    [{ 1: 250, 2: 240 }, {}, '0+3×100 0+3×100 → 0-239'],
  ],
  'A list that gets rows at its start after the first page': [
    // A second scan finds the row that was inserted at the start.
    [{ 1: 250, 2: 251 }, {}, '0+3×100 0+3×100 → 0-249 -1, 252 credits'],
    [{ 1: 250, 2: 251 }, { isFree: true, maxCredits: 1 }, '0+3×100 0+3×100 → 0-249 -1, 0 credits'],
    [{ 1: 250, 2: 251 }, { maxCredits: 250 }, `0+2×100 200+50 → 0-248, 250 credits, ${CHANGED}`],
    [{ 1: 250, 2: 251 }, { maxCredits: 351 }, `0+3×100 0+100 → 0-249 -1, 252 credits, ${CHANGED}`],
    [{ 1: 250, 2: 251 }, { maxCredits: 350 }, `0+3×100 → 0-249, 251 credits, ${CHANGED}`],
    [{ 1: 120, 2: 121 }, { maxCredits: 400 }, '0+2×100 0+2×100 → 0-119 -1, 122 credits'],
    [{ 1: 250, 2: 251 }, { wanted: 220 }, '0+2×100 200+20 220+1 → 0-219, 221 credits'],
    [{ 1: 250, 2: 251 }, { skip: 100 }, '100+2×100 100+2×100 → 100-249 99, 152 credits'],
    // The node skips the second scan if both scans would send more than two requests per page.
    [
      { 1: 250, 5: 251 },
      { paging: 'offset', cap: 100, overCap: 'refused' },
      `0+1000 0+500 0+200 0+3×100 → 0-249, 251 credits, ${CHANGED}`,
    ],
    [
      { 1: 250, 2: 251, 4: 252, 5: 253 },
      {},
      '0+3×100 0+3×100 → 0-249 -2--1, 253 credits, The service reported 250',
    ],
  ],
  'A list with a failing page': [
    [500, { broken: [100] }, '0+5×100 → 0-99, 500 credits, broken'],
    [500, { broken: [100], whole: true }, '0+5×100 → 0-99, 500 credits, broken'],
  ],
  // With On Error set to Continue, the node outputs
  // pages that were in flight, because they are charged.
  'A list with a failing page whose other rows are kept': [
    [500, { broken: [100] }, '0+5×100 → 0-99 200-499, 500 credits, broken, missing 101-200'],
    [500, { broken: [0] }, '0+100 → , 100 credits, broken'],
    [
      650,
      { broken: [100, 300] },
      '0+7×100 → 0-99 200-299 400-649, 650 credits, broken, missing 101-200 301-400',
    ],
    [650, { broken: [600] }, '0+7×100 → 0-599, 700 credits, broken, missing 601-650'],
    [500, { broken: [100], says: 'has_next' }, '0+2×100 → 0-99, 200 credits, broken, missing 101-'],
  ],
  'A list that is read by offset': [
    [2500, {}, '0+3×1000 → 0-2499'],
    [250, { cap: 100 }, '0+1000 100+2×100 → 0-249'],
    [250, { cap: 100, overCap: 'refused' }, '0+1000 0+500 0+200 0+3×100 → 0-249'],
    [250, { cap: 100, overCap: 'refused', maxCredits: 400 }, '0+1 0+250 0+200 0+3×100 → 0-249'],
    [250, { cap: 100, says: 'nothing' }, '0+1000 100+2×100 250+100 → 0-249'],
    [
      250,
      { cap: 100, says: 'nothing', maxCredits: 260 },
      '0+1 260+1 0+259 100+100 200+60 250+10 → 0-249',
    ],
    [1, { says: 'nothing' }, '0+1000 1+1 → 0'],
    [250, { cap: 100, wanted: 120 }, '0+120 100+20 → 0-119'],
    [250, { skip: 33, wanted: 50 }, '33+50 → 33-82'],
    [5000, { cap: 100, broken: [100] }, '0+1000 100+6×100 → 0-99, 700 credits, broken'],
    [150, { maxCredits: 151 }, '0+1 0+150 → 0-149'],
    [250, { maxCredits: 250 }, '0+1 0+249 249+1 → 0-249'],
    // A second scan finds the row that was inserted at the start, or moved to another page.
    [
      { 1: 350, 2: 351 },
      { cap: 100, grows: 'at the start' },
      '0+1000 100+3×100 0+4×100 → 0-349 -1, 352 credits',
    ],
    [
      { 1: 350, 2: 349 },
      { cap: 100, grows: 'at the start' },
      '0+1000 100+3×100 0+4×100 → 0-99 101-349 100',
    ],
  ],
};

describe.each(Object.entries(CASES))('%s', (group, cases) => {
  it.each(cases)('of %j rows requests the expected ranges for %j', async (rows, given, outcome) => {
    expect(await read({ rows, ...COMMON[group], ...given })).toBe(outcome);
  });
});
