/**
 * Tests lists whose pages fail, whose balance runs out, or that change during the read. The node
 * outputs every row that the service billed, and never reports less than what happened.
 */
import fc from 'fast-check';

import { CreditExhaustedError, ServerError, ServiceError } from '../../../../src/client/errors';
import type { Page } from '../../../../src/run/responses/page';
import { CreditBudget } from '../../../../src/run/credit-budget';
import { getGaps } from '../../../../src/run/listing/incomplete';
import { collectListing, readListing, type Listing } from '../../../../src/run/listing/listing';
import { offsetPaging, pageNumberPaging, type PageRange } from '../../../../src/run/listing/paging';
import { pageWith, runWith } from './support';

const PAGE = 20;

const scenarios = fc.record({
  paging: fc.constantFrom('page', 'offset'),
  count: fc.nat(400),
  /** Row indexes: a page that contains one of them always fails with status 500. */
  broken: fc.array(fc.nat(400), { maxLength: 2 }),
  /** Credit balance of the organization. */
  balance: fc.option(fc.nat(500), { nil: Infinity }),
  /** Max Credits of the run. */
  maxCredits: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
  wanted: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
  streamed: fc.boolean(),
  /**
   * Rows inserted at a place (or deleted, if negative) before the response with number `before`.
   */
  moves: fc.array(
    fc.record({
      before: fc.integer({ min: 1, max: 25 }),
      at: fc.nat(400),
      rows: fc.constantFrom<number>(1, 1, 7, 90, -1, -30),
    }),
    { maxLength: 2 },
  ),
  /** Latency of the responses, in turns of the event loop. */
  delays: fc.array(fc.nat(12), { minLength: 1, maxLength: 7 }),
});
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

/** Simulates a service that bills each row once. */
class Billing {
  readonly billed = new Set<number>();
  requests = 0;
  mostRows: number;
  private rows: number[];
  private next: number;

  constructor(private readonly scenario: Scenario) {
    this.rows = Array.from({ length: scenario.count }, (_one, id) => id);
    this.next = scenario.count;
    this.mostRows = scenario.count;
  }

  async answer({ query }: PageRange): Promise<Page> {
    this.requests += 1;
    const { delays } = this.scenario;
    const limit = Math.min(Number(query['limit']), PAGE);
    const page = Number(query['page']);
    const from = query['page'] === undefined ? Number(query['offset']) : (page - 1) * limit;
    for (const move of this.scenario.moves) if (move.before === this.requests) this.move(move);
    for (let turns = delays[this.requests % delays.length] ?? 0; turns > 0; turns -= 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const ids = this.rows.slice(from, from + limit);
    if (this.scenario.broken.some((index) => index >= from && index < from + limit)) {
      throw new ServerError({ code: 'broken', message: 'Broken', hint: 'Wait.', status: 500 });
    }
    this.bill(ids);
    const totalResults = this.rows.length;
    const rows = ids.map((id) => ({ id }));
    return pageWith(rows, { limit, totalResults, hasNext: from + limit < totalResults });
  }

  private bill(ids: readonly number[]): void {
    const fresh = ids.filter((id) => !this.billed.has(id));
    const shortfall = this.billed.size + fresh.length - this.scenario.balance;
    if (shortfall > 0) {
      const requested = fresh.length;
      const words = { code: 'credit_exhausted', message: 'No credits', hint: 'Buy.', status: 402 };
      throw new CreditExhaustedError({ ...words, details: { requested, shortfall } });
    }
    for (const id of fresh) this.billed.add(id);
  }

  private move({ at, rows }: Scenario['moves'][number]): void {
    const fresh = Array.from({ length: Math.max(0, rows) }, (_one, index) => this.next + index);
    this.next += fresh.length;
    this.rows.splice(Math.min(at, this.rows.length), Math.max(0, -rows), ...fresh);
    this.mostRows = Math.max(this.mostRows, this.rows.length);
  }
}

async function read(given: Scenario, keepsArrived: boolean) {
  const service = new Billing(given);
  const credits = new CreditBudget(given.maxCredits);
  const warnings: string[] = [];
  const pages = readListing(
    {
      paging: given.paging === 'page' ? pageNumberPaging(PAGE) : offsetPaging,
      wanted: given.wanted,
      streamed: given.streamed,
      keepsArrived,
      idOf: ({ id }) => String(id),
      fetch: async (slice, _first, { beforeSend }) => {
        beforeSend?.();
        return await service.answer(slice);
      },
    },
    runWith(credits, warnings),
  );
  const result = await collectListing(pages, keepsArrived).catch((error: unknown) => error);
  return { service, credits, warnings, result };
}

/**
 * Extra requests for pages that must end exactly at a row, and for single rows under Max Credits.
 */
const LAST_PAGES = 8;

it('outputs every billed row once, in order, and lists missing rows in the error', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (given) => {
      const { service, credits, warnings, result } = await read(given, true);
      const isWhole = given.moves.length === 0;
      const { rows = [], failure = result } = result instanceof Error ? {} : (result as Listing);
      const out = rows.map(({ id }) => Number(id));

      expect(new Set(out).size).toBe(out.length);
      if (out.length < (given.wanted ?? Infinity)) {
        expect([...service.billed].filter((id) => !out.includes(id))).toEqual([]);
      }
      expect(credits.maxSpent).toBeGreaterThanOrEqual(service.billed.size);
      expect(credits.maxSpent).toBeLessThanOrEqual(given.maxCredits ?? Infinity);
      const pages = Math.max(
        1,
        Math.ceil(Math.min(service.mostRows, given.wanted ?? Infinity) / PAGE),
      );
      expect(service.requests).toBeLessThanOrEqual(
        2 * pages + (given.wanted === undefined && given.maxCredits === undefined ? 0 : LAST_PAGES),
      );
      if (!isWhole) return;
      expect(out).toEqual([...out].sort((a, b) => a - b));
      const end = Math.min(given.count, given.wanted ?? Infinity);
      const all = Array.from({ length: end }, (_one, id) => id);
      const missing = all.filter((id) => !out.includes(id));
      if (failure instanceof ServiceError) {
        const named = getGaps(failure).flatMap(({ first, last = end }) =>
          all.slice(first - 1, last),
        );
        if (out.length > 0) expect(named).toEqual(missing);
      } else expect([missing, warnings]).toEqual([[], []]);
    }),
    { numRuns: 600 },
  );
});

it('with Stop, outputs all rows or none, and counts at least the billed credits', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (given) => {
      const { service, credits, result } = await read(given, false);

      expect(credits.maxSpent).toBeGreaterThanOrEqual(service.billed.size);
      expect(credits.maxSpent).toBeLessThanOrEqual(given.maxCredits ?? Infinity);
      if (result instanceof Error || given.moves.length > 0) return;
      const all = Math.min(given.count, given.wanted ?? Infinity);
      expect((result as Listing).rows).toHaveLength(all);
    }),
    { numRuns: 200 },
  );
});

it.each([
  [20_000, 20_101],
  [5_000, 5_101],
  [250, 300],
])(
  'reads %i rows with Max Credits %i in up to two requests per page when a row is inserted',
  async (count, maxCredits) => {
    const moves = [{ before: 2, at: 0, rows: 1 }];
    const list = { paging: 'page' as const, wanted: undefined, streamed: false, delays: [1] };
    const given: Scenario = { ...list, broken: [], balance: Infinity, count, maxCredits, moves };
    const { service, warnings, result } = await read(given, true);

    expect(result).not.toBeInstanceOf(Error);
    expect(service.requests).toBeLessThanOrEqual(2 * Math.ceil((count + 1) / PAGE));
    const { rows } = result as Listing;
    const missing = [...service.billed].filter((id) => !rows.some((row) => row['id'] === id));
    expect(missing).toEqual([]);
    if (rows.length <= count) expect(warnings.join()).toContain('a second pass');
  },
);
