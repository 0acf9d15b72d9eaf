/**
 * Tests which ranges of rows the node requests for a list, in order, and what they cost. Each row
 * of the tables is one service and one way to read it.
 */
import { BadRequestError, ServerError, ServiceError } from '../../../../src/client/errors';
import { CircuitBreaker } from '../../../../src/run/circuit-breaker';
import { CreditBudget } from '../../../../src/run/credit-budget';
import { getGaps } from '../../../../src/run/listing/incomplete';
import { readListing, type RowRange } from '../../../../src/run/listing/listing';
import { offsetPaging, pageNumberPaging, type PageRange } from '../../../../src/run/listing/paging';
import type { Page } from '../../../../src/run/responses/page';

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
  /** Where rows are inserted: at the end (default) or at the start. */
  readonly grows?: 'at the end' | 'at the start';
}

interface Reading extends Partial<RowRange> {
  readonly paging?: 'page' | 'offset';
  readonly maxCredits?: number;
  readonly isFree?: boolean;
}

const PAGE = 100;

function serve({ rows, cap = 1000, overCap, says = 'both', broken = [], grows }: Service) {
  const requests: string[] = [];
  const counts = typeof rows === 'number' ? { 1: rows } : rows;
  const initial = counts[1] ?? 0;
  let count = initial;
  const answer = async (slice: PageRange): Promise<Page> => {
    const { limit, query } = slice;
    requests.push(`${String(slice.from)}+${String(limit)}`);
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
    return {
      rows: ids.slice(from, from + size).map((id) => ({ id })),
      context: {},
      pagination: {
        limit: undefined,
        totalResults: says === 'total' || says === 'both' ? now : undefined,
        hasNext: says === 'has_next' || says === 'both' ? from + size < now : undefined,
      },
    };
  };
  return { requests, answer };
}

/** Formats numbers as ranges: `0-99 150`. */
function toRanges(numbers: readonly number[]): string {
  const ranges: Array<[number, number]> = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([a, b]) => (a === b ? String(a) : `${String(a)}-${String(b)}`)).join(' ');
}

/**
 * Reads a list and describes the read in one line. The line has the requests (first row and number
 * of rows), the output IDs and the credits that the run counts. The error code, or the start of the
 * warning, and the missing rows follow.
 */
async function read(given: Service & Reading): Promise<string> {
  const { requests, answer } = serve(given);
  const { paging = 'page', maxCredits, isFree = false } = given;
  const { wanted, skip = 0, streamed = false, keepsArrived = false, whole = false } = given;
  const credits = new CreditBudget(maxCredits);
  const warnings: string[] = [];
  const ids: number[] = [];
  let failure: unknown;
  const pages = readListing(
    {
      wanted,
      skip,
      streamed,
      keepsArrived,
      whole,
      isFree,
      paging: paging === 'page' ? pageNumberPaging(PAGE) : offsetPaging,
      idOf: ({ id }) => String(id),
      fetch: async (slice, _first, { beforeSend }) => {
        beforeSend?.();
        return await answer(slice);
      },
    },
    {
      signal: undefined,
      credits,
      breaker: new CircuitBreaker(),
      warn: (text) => warnings.push(text),
    },
  );
  try {
    for await (const page of pages) ids.push(...page.rows.map(({ id }) => Number(id)));
  } catch (error) {
    failure = error;
  }
  expect(credits.available).toBe(
    maxCredits === undefined ? Infinity : maxCredits - credits.maxSpent,
  );
  const error = failure instanceof ServiceError ? failure : undefined;
  const gaps = error === undefined ? [] : getGaps(error);
  const missing = gaps.map(({ first, last = '' }) => `${String(first)}-${String(last)}`).join(' ');
  return [
    `${requests.join(' ')} → ${toRanges(ids)}`,
    `${String(credits.maxSpent)} credits`,
    error?.code ?? warnings[0]?.split(/[.,]/)[0],
    missing === '' ? undefined : `missing ${missing}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

type Case = readonly [given: Service & Reading, outcome: string];

describe('A list without Max Credits', () => {
  it.each<Case>([
    [{ rows: 0 }, '0+100 → , 0 credits'],
    [{ rows: 0, says: 'nothing' }, '0+100 → , 0 credits'],
    [{ rows: 250 }, '0+100 100+100 200+100 → 0-249, 250 credits'],
    [{ rows: 250, says: 'total' }, '0+100 100+100 200+100 → 0-249, 250 credits'],
    [{ rows: 250, says: 'has_next' }, '0+100 100+100 200+100 → 0-249, 250 credits'],
    [{ rows: 250, says: 'nothing' }, '0+100 100+100 200+100 → 0-249, 250 credits'],
    // The empty page marks the end.
    [{ rows: 200, says: 'nothing' }, '0+100 100+100 200+100 → 0-199, 200 credits'],
    [{ rows: 1250, wanted: 330 }, '0+100 100+100 200+100 300+30 → 0-329, 330 credits'],
    [{ rows: 250, skip: 200, wanted: 120 }, '200+100 → 200-249, 50 credits'],
    [{ rows: 10, skip: 200 }, '200+100 → , 0 credits'],
    [{ rows: 90, cap: 30 }, '0+100 30+30 60+30 → 0-89, 90 credits'],
    [{ rows: 90, cap: 30, skip: 40 }, '40+40 40+20 60+30 → 40-89, 80 credits'],
  ])('requests the expected rows for %j', async (given, outcome) => {
    expect(await read(given)).toBe(outcome);
  });
});

describe('A list with Max Credits', () => {
  it.each<Case>([
    [{ rows: 80, maxCredits: 100 }, '0+100 → 0-79, 80 credits'],
    // A probe of one row shows the total.
    [{ rows: 80, maxCredits: 90 }, '0+1 0+80 → 0-79, 80 credits'],
    [{ rows: 80, maxCredits: 80 }, '0+1 0+79 79+1 → 0-79, 80 credits'],
    // A refused list costs one credit, or one page that the credits covered.
    [{ rows: 81, maxCredits: 80 }, '0+1 → , 1 credits, max_credits_reached'],
    [{ rows: 250, maxCredits: 250 }, '0+100 100+100 200+50 → 0-249, 250 credits'],
    [{ rows: 250, maxCredits: 249 }, '0+100 → 0-99, 100 credits, max_credits_reached'],
    // Very few credits.
    [{ rows: 0, maxCredits: 1 }, '0+1 → , 0 credits'],
    [{ rows: 1, maxCredits: 1 }, '0+1 → 0, 1 credits'],
    [{ rows: 2, maxCredits: 1 }, '0+1 → , 1 credits, max_credits_reached'],
    [{ rows: 2, maxCredits: 2 }, '0+1 0+1 1+1 → 0-1, 2 credits'],
    // With a Limit, no probe is needed.
    [{ rows: 500, maxCredits: 20, wanted: 20 }, '0+20 → 0-19, 20 credits'],
    [{ rows: 10, maxCredits: 20, wanted: 30 }, ' → , 0 credits, max_credits_reached'],
    [{ rows: 250, maxCredits: 90, skip: 200 }, '200+1 200+50 → 200-249, 50 credits'],
    [{ rows: 250, maxCredits: 49, skip: 200 }, '200+1 → , 1 credits, max_credits_reached'],
    // Without a total, the row after the covered ones shows whether the list is longer.
    [{ rows: 80, says: 'has_next', maxCredits: 90 }, '0+1 90+1 0+89 → 0-79, 80 credits'],
    [{ rows: 90, says: 'has_next', maxCredits: 90 }, '0+1 90+1 0+89 89+1 → 0-89, 90 credits'],
    [{ rows: 95, says: 'has_next', maxCredits: 90 }, '0+1 90+1 → , 2 credits, max_credits_reached'],
    [
      { rows: 95, says: 'has_next', maxCredits: 90, keepsArrived: true },
      '0+1 90+1 → 0 90, 2 credits, max_credits_reached, missing 2-90 92-',
    ],
    [
      { rows: 180, says: 'nothing', maxCredits: 190 },
      '0+100 190+1 100+50 150+30 180+10 → 0-179, 180 credits',
    ],
    [{ rows: 200, says: 'nothing', maxCredits: 200 }, '0+100 200+1 100+100 → 0-199, 200 credits'],
    [
      { rows: 180, says: 'nothing', maxCredits: 150 },
      '0+100 150+1 → 0-99, 101 credits, max_credits_reached',
    ],
    // A free list needs no credits.
    [{ rows: 250, isFree: true, maxCredits: 1 }, '0+100 100+100 200+100 → 0-249, 0 credits'],
  ])('requests the expected rows for %j', async (given, outcome) => {
    expect(await read(given)).toBe(outcome);
  });
});

describe('A list that changes after the first page', () => {
  it.each<Case>([
    [
      { rows: { 1: 250, 2: 260 }, maxCredits: 300 },
      '0+100 100+100 200+100 → 0-259, 260 credits, The list changed while the node read it',
    ],
    // The node spends the remaining credits.
    [
      { rows: { 1: 250, 2: 260 }, maxCredits: 255 },
      '0+100 100+100 200+50 250+5 → 0-254, 255 credits, The list changed while the node read it',
    ],
    // A probe found no row after the covered ones.
    [
      { rows: { 1: 80, 3: 100 }, says: 'has_next', maxCredits: 90 },
      '0+1 90+1 0+89 89+1 → 0-89, 90 credits, The list grew while the node read it',
    ],
    [
      { rows: { 1: 80, 3: 100 }, says: 'has_next', maxCredits: 90, whole: true },
      '0+1 90+1 0+89 89+1 → 0-89, 90 credits, list_incomplete',
    ],
    [
      { rows: { 1: 80, 3: 90 }, says: 'has_next', maxCredits: 90 },
      '0+1 90+1 0+89 89+1 → 0-89, 90 credits',
    ],
    // A second scan finds the row that was inserted at the start.
    [
      { rows: { 1: 250, 2: 251 }, grows: 'at the start' },
      '0+100 100+100 200+100 0+100 100+100 200+100 → 0-249 -1, 252 credits',
    ],
    [
      { rows: { 1: 250, 2: 251 }, grows: 'at the start', isFree: true, maxCredits: 1 },
      '0+100 100+100 200+100 0+100 100+100 200+100 → 0-249 -1, 0 credits',
    ],
    [
      { rows: { 1: 250, 2: 251 }, grows: 'at the start', maxCredits: 250 },
      '0+100 100+100 200+50 → 0-248, 250 credits, The list changed while the node read it',
    ],
    [
      { rows: { 1: 250, 2: 251 }, grows: 'at the start', maxCredits: 351 },
      '0+100 100+100 200+100 0+100 → 0-249 -1, 252 credits, The list changed while the node read it',
    ],
    [
      { rows: { 1: 250, 2: 251 }, grows: 'at the start', maxCredits: 350 },
      '0+100 100+100 200+100 → 0-249, 251 credits, The list changed while the node read it',
    ],
    [
      { rows: { 1: 120, 2: 121 }, grows: 'at the start', maxCredits: 400 },
      '0+100 100+100 0+100 100+100 → 0-119 -1, 122 credits',
    ],
    [
      { rows: { 1: 250, 2: 251 }, grows: 'at the start', wanted: 220 },
      '0+100 100+100 200+20 220+1 → 0-219, 221 credits',
    ],
    [
      { rows: { 1: 250, 2: 251 }, grows: 'at the start', skip: 100 },
      '100+100 200+100 100+100 200+100 → 100-249 99, 152 credits',
    ],
    // The node skips the second scan if both scans would send more than two requests per page.
    [
      {
        rows: { 1: 250, 5: 251 },
        grows: 'at the start',
        paging: 'offset',
        cap: 100,
        overCap: 'refused',
      },
      '0+1000 0+500 0+200 0+100 100+100 200+100 → 0-249, 251 credits, The list changed while the node read it',
    ],
    [
      { rows: { 1: 250, 2: 251, 4: 252, 5: 253 }, grows: 'at the start' },
      '0+100 100+100 200+100 0+100 100+100 200+100 → 0-249 -2--1, 253 credits, The service reported 250',
    ],
    [
      { rows: { 1: 250, 2: 240 } },
      '0+100 100+100 200+100 0+100 100+100 200+100 → 0-239, 240 credits',
    ],
  ])('requests the expected rows for %j', async (given, outcome) => {
    expect(await read(given)).toBe(outcome);
  });
});

describe('A list with a failing page', () => {
  it.each<Case>([
    [
      { rows: 500, broken: [100] },
      '0+100 100+100 200+100 300+100 400+100 → 0-99, 500 credits, broken',
    ],
    // With On Error set to Continue, the node outputs
    // pages that were in flight, because they are charged.
    [
      { rows: 500, broken: [100], keepsArrived: true },
      '0+100 100+100 200+100 300+100 400+100 → 0-99 200-499, 500 credits, broken, missing 101-200',
    ],
    [{ rows: 500, broken: [0], keepsArrived: true }, '0+100 → , 100 credits, broken'],
    [
      { rows: 650, broken: [100, 300], keepsArrived: true },
      '0+100 100+100 200+100 300+100 400+100 500+100 600+100 → 0-99 200-299 400-649, 650 credits, broken, missing 101-200 301-400',
    ],
    [
      { rows: 650, broken: [600], keepsArrived: true },
      '0+100 100+100 200+100 300+100 400+100 500+100 600+100 → 0-599, 700 credits, broken, missing 601-650',
    ],
    [
      { rows: 500, broken: [100], says: 'has_next', keepsArrived: true },
      '0+100 100+100 → 0-99, 200 credits, broken, missing 101-',
    ],
    [
      { rows: 500, broken: [100], whole: true },
      '0+100 100+100 200+100 300+100 400+100 → 0-99, 500 credits, broken',
    ],
  ])('requests the expected rows for %j', async (given, outcome) => {
    expect(await read(given)).toBe(outcome);
  });
});

describe('A list that is read by offset', () => {
  it.each<Case>([
    [{ rows: 2500, paging: 'offset' }, '0+1000 1000+1000 2000+1000 → 0-2499, 2500 credits'],
    [{ rows: 250, cap: 100, paging: 'offset' }, '0+1000 100+100 200+100 → 0-249, 250 credits'],
    [
      { rows: 250, cap: 100, overCap: 'refused', paging: 'offset' },
      '0+1000 0+500 0+200 0+100 100+100 200+100 → 0-249, 250 credits',
    ],
    [
      { rows: 250, cap: 100, overCap: 'refused', paging: 'offset', maxCredits: 400 },
      '0+1 0+250 0+200 0+100 100+100 200+100 → 0-249, 250 credits',
    ],
    [
      { rows: 250, cap: 100, says: 'nothing', paging: 'offset' },
      '0+1000 100+100 200+100 250+100 → 0-249, 250 credits',
    ],
    [
      { rows: 250, cap: 100, says: 'nothing', paging: 'offset', maxCredits: 260 },
      '0+1 260+1 0+259 100+100 200+60 250+10 → 0-249, 250 credits',
    ],
    [{ rows: 1, says: 'nothing', paging: 'offset' }, '0+1000 1+1 → 0, 1 credits'],
    [{ rows: 250, cap: 100, paging: 'offset', wanted: 120 }, '0+120 100+20 → 0-119, 120 credits'],
    [{ rows: 250, paging: 'offset', skip: 33, wanted: 50 }, '33+50 → 33-82, 50 credits'],
    [{ rows: 250, paging: 'offset', maxCredits: 250 }, '0+1 0+249 249+1 → 0-249, 250 credits'],
  ])('requests the expected rows for %j', async (given, outcome) => {
    expect(await read(given)).toBe(outcome);
  });
});
