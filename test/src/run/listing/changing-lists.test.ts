/**
 * Tests lists that change during the read. The node outputs no row twice and invents none. If a row
 * is missing that existed all the time, an error or a hint reports it.
 */
import fc from 'fast-check';

import {
  InvalidResponseError,
  NotAttemptedError,
  ServerError,
} from '../../../../src/client/errors';
import type { Row } from '../../../../src/run/responses/rows';
import { CreditBudget } from '../../../../src/run/credit-budget';
import { type Page, readPage } from '../../../../src/run/responses/page';
import { offsetPaging, pageNumberPaging, type PageRange } from '../../../../src/run/listing/paging';
import { readListing } from '../../../../src/run/listing/listing';
import { drain, pageOf, runWith } from './support';

/** Changes of the list between two responses. */
const movesOf = (...kinds: Array<'insert' | 'delete'>) =>
  fc.array(
    fc.record({
      /** Number of the response before which the list changes, counted from 1. */
      before: fc.integer({ min: 1, max: 16 }),
      kind: fc.constantFrom(...kinds),
      /** Position of the change, as a fraction of the list. */
      at: fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      rows: fc.constantFrom(1, 1, 2, 7, 60),
    }),
    { maxLength: 4 },
  );

const MOVES = {
  insert: movesOf('insert'),
  delete: movesOf('delete'),
  both: movesOf('insert', 'delete'),
};

const scenarios = fc.constantFrom('insert', 'delete', 'both').chain((kinds) =>
  fc.record({
    paging: fc.constantFrom('page', 'offset', 'cursor', 'keyset'),
    count: fc.nat(330),
    /** The largest page that the service returns. */
    cap: fc.constantFrom(3, 7, 20, 50, 1000),
    kinds: fc.constant(kinds),
    moves: MOVES[kinds],
    total: fc.constantFrom('right', 'missing'),
    more: fc.constantFrom('said', 'missing'),
    /** Max Credits of the run. */
    credits: fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
    /** The second scan fails from this one of its requests on, counted from 1. */
    trouble: fc.constantFrom(Infinity, Infinity, 1, 2, 5),
    /** Whether an incomplete list is useless to the caller. */
    whole: fc.boolean(),
  }),
);
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

/**
 * Simulates a service whose list changes. `held` has all
 * IDs it ever listed, `kept` those it listed all the time.
 */
class Moving {
  readonly held = new Set<number>();
  readonly kept: Set<number>;
  requests = 0;
  private rows: number[];
  private next: number;

  constructor(private readonly scenario: Scenario) {
    this.rows = Array.from({ length: scenario.count }, (_one, id) => id);
    this.next = scenario.count;
    this.kept = new Set(this.rows);
    for (const id of this.rows) this.held.add(id);
  }

  async answer({ query }: PageRange): Promise<Page> {
    this.requests += 1;
    for (const one of this.scenario.moves) if (one.before === this.requests) this.change(one);
    await Promise.resolve();
    const { paging, cap, total, more } = this.scenario;
    const limit = Math.min(Number(query['limit']), cap);
    const from = this.beginOf(query, limit);
    const end = from + limit;
    const page = this.rows.slice(from, end);
    const hasMore = end < this.rows.length;
    const rows = page.map((id): Row => ({ id }));
    if (paging === 'page') {
      return readPage({
        data: rows,
        pagination: {
          limit,
          ...(total === 'right' ? { total_results: this.rows.length } : {}),
          ...(more === 'said' ? { has_next: hasMore } : {}),
        },
      });
    }
    const cursor = paging === 'keyset' ? `k${String(page.at(-1))}` : `c${String(end)}`;
    const beside = {
      ...(total === 'right' ? { total_count: this.rows.length } : {}),
      ...(more === 'said' ? { has_more: hasMore } : {}),
      ...(paging === 'offset' ? {} : { next_cursor: hasMore ? cursor : null }),
    };
    return pageOf({ rows, beside });
  }

  /** In a keyset list, rows are sorted by ID. */
  private beginOf(query: PageRange['query'], limit: number): number {
    if (query['page'] !== undefined) return (Number(query['page']) - 1) * limit;
    const cursor = String(query['cursor'] ?? '');
    if (cursor.startsWith('k')) {
      const last = Number(cursor.slice(1));
      const begin = this.rows.findIndex((id) => id > last);
      return begin === -1 ? this.rows.length : begin;
    }
    return cursor === '' ? Number(query['offset'] ?? 0) : Number(cursor.slice(1));
  }

  private change({ kind, at, rows }: Scenario['moves'][number]): void {
    const place = Math.floor(at * this.rows.length);
    if (kind === 'delete') {
      for (const id of this.rows.splice(place, rows)) this.kept.delete(id);
      return;
    }
    const fresh = Array.from({ length: rows }, (_one, index) => this.next + index);
    this.next += rows;
    this.rows.splice(this.scenario.paging === 'keyset' ? this.rows.length : place, 0, ...fresh);
    for (const id of fresh) this.held.add(id);
  }
}

async function read(given: Scenario) {
  const service = new Moving(given);
  const warnings: string[] = [];
  const credits = new CreditBudget(given.credits);
  const billed = new Set<unknown>();
  /** Each scan has a `beforeSend` of its own. */
  const scans = new Set<unknown>();
  let requests = 0;
  const pages = readListing(
    {
      paging: given.paging === 'page' ? pageNumberPaging(50) : offsetPaging,
      wanted: undefined,
      whole: given.whole,
      idOf: ({ id }) => String(id),
      fetch: async (slice, _first, { beforeSend }) => {
        scans.add(beforeSend);
        if (scans.size > 1) {
          requests += 1;
          if (requests >= given.trouble) throw TROUBLE;
        }
        const page = await service.answer(slice);
        for (const { id } of page.rows) billed.add(id);
        return page;
      },
    },
    runWith(credits, warnings),
  );
  const { rows, failure } = await drain(pages);
  const out = rows.map(({ id }) => Number(id));
  return { service, warnings, out, failure, scans: scans.size, billed: billed.size, credits };
}

const REFUSALS = [InvalidResponseError, NotAttemptedError];
const TROUBLE = new ServerError({ code: 'trouble', message: 'In trouble', hint: 'Wait.' });

/**
 * Returns whether the responses show that rows have moved up. A total shows it unless equal numbers
 * of rows were inserted and deleted. A keyset list never misses rows.
 */
const canBeNoticed = ({ kinds, total, paging }: Scenario) =>
  paging === 'keyset' || kinds === 'insert' || (kinds === 'delete' && total === 'right');

/** Credits for one row more than the list has, so that a second scan would read row by row. */
const HARDLY_COVERED: Scenario = {
  paging: 'page',
  count: 67,
  cap: 1000,
  kinds: 'delete',
  moves: [{ before: 2, kind: 'delete', at: 0, rows: 1 }],
  total: 'right',
  more: 'said',
  credits: 68,
  trouble: Infinity,
  whole: false,
};

it('outputs no repeated or invented rows of a changing list, and reports detectable gaps', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (given) => {
      const { service, warnings, out, failure, scans, billed, credits } = await read(given);

      // A row that was read before is free for 30 days, so each company counts once.
      expect(billed).toBeLessThanOrEqual(given.credits ?? Infinity);
      expect(credits.maxSpent).toBeLessThanOrEqual(given.credits ?? Infinity);
      if (given.whole && failure === undefined) expect(warnings).toEqual([]);
      if (scans > 1 && !given.whole) {
        expect(failure).toBeUndefined();
        if (given.trouble === 1) expect(warnings.join()).toContain('a second pass for missed rows');
      }
      expect(new Set(out).size).toBe(out.length);
      expect(out.filter((id) => !service.held.has(id))).toEqual([]);
      if (failure !== undefined) {
        const kinds = given.credits === undefined ? [InvalidResponseError] : REFUSALS;
        expect(kinds.some((kind) => failure instanceof kind)).toBe(true);
        return;
      }
      const missing = [...service.kept].filter((id) => !out.includes(id));
      if (missing.length > 0 && canBeNoticed(given)) {
        expect(warnings.join()).toMatch(/list .*rows/s);
      }
      // Allows for two scans of the list, with a request for every page that might hold rows.
      const pages = Math.ceil(service.held.size / Math.min(50, given.cap));
      expect(service.requests).toBeLessThanOrEqual(
        2 * (12 + 3 * pages + Math.min(90, 4 + 4 * pages)),
      );
    }),
    { numRuns: 1000, examples: [[HARDLY_COVERED]] },
  );
});
