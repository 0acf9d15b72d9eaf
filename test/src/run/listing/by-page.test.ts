/**
 * Tests lists that are read by page: exactly the wanted
 * rows, in few requests (API spec: Conventions, rule 4).
 */
import fc from 'fast-check';

import { CreditBudget } from '../../../../src/run/credit-budget';
import { collectListing } from '../../../../src/run/listing/listing';
import type { Page } from '../../../../src/run/responses/page';
import { pageNumberPaging } from '../../../../src/run/listing/paging';
import { Run } from '../../../../src/run/run';
import type { CallOptions } from '../../../../src/client/call';
import type { Row } from '../../../../src/run/responses/rows';
import { Client } from '../../../../src/client/client';
import { NotAttemptedError } from '../../../../src/client/errors';
import { clientFor, settingsFor } from '../../client/support/client';
import { json, TestService, type Received } from '../../client/support/service';
import { QUICK, until } from '../../client/support/timing';
import { createGate } from '../support/batch-service';
import { drain, pageWith, type PageRequest, readPages, runWith } from './support';

afterAll(TestService.stopAll);

/** Returns the first row of a page, counted from 0, and the row after its last. */
const rangeOf = ({ page, limit }: PageRequest) => ({ from: (page - 1) * limit, to: page * limit });

/** Returns the number of pages from row `from` to row `to`. */
function countPages(from: number, to: number, pageSize: number): number {
  let pages = 0;
  for (let at = from; at < to; pages += 1) {
    at += pageNumberPaging(pageSize).slice(at, Math.min(pageSize, to - at)).limit;
  }
  return pages;
}

it.each([
  [20, 4],
  [100, 6],
  [10_000, 10],
])('with pages of %i rows, needs up to %i pages more than full pages would', (pageSize, more) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: pageSize * 6 }), (wanted) => {
      const pages = 1 + countPages(Math.min(wanted, pageSize), wanted, pageSize);
      expect(pages).toBeLessThanOrEqual(Math.ceil(wanted / pageSize) + more);
    }),
    { numRuns: 2_000 },
  );
});

/** What a service reports as its total, given the real number of rows. */
const TOTALS = {
  right: (count: number) => count,
  missing: () => undefined,
  capped: (count: number) => Math.min(count, 40),
  'unknown as 2147483647': () => 2_147_483_647,
  'the largest number': () => Number.MAX_SAFE_INTEGER,
};

const scenarios = fc.record({
  count: fc.nat(330),
  /** The largest page that the service returns. */
  cap: fc.constantFrom(3, 7, 20, 50, 1000),
  saysLimit: fc.boolean(),
  total: fc.constantFrom(...(Object.keys(TOTALS) as Array<keyof typeof TOTALS>)),
  saysMore: fc.boolean(),
  withIds: fc.boolean(),
});
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

const totalOf = ({ count, total }: Scenario): number | undefined => TOTALS[total](count);

const rowsOf = ({ count, withIds }: Scenario): Row[] =>
  Array.from({ length: count }, (_one, id) => (withIds ? { id } : { name: id }));

const idOf = ({ id }: Row) => (id === undefined ? undefined : JSON.stringify(id));

/** A service with large pages that reports nothing but its rows. */
const SILENT = {
  cap: 1000,
  saysLimit: false,
  total: 'missing',
  saysMore: false,
  withIds: true,
} as const;

/** Simulates a service, and records the requests and the rows that cost a credit. */
function serve(given: Scenario) {
  const rows = rowsOf(given);
  const requests: PageRequest[] = [];
  // Rows that were read within the last 30 days are free.
  const billed = new Set<unknown>();
  const fetch = async (request: PageRequest): Promise<Page> => {
    requests.push(request);
    await Promise.resolve();
    const { page } = request;
    const limit = Math.min(request.limit, given.cap);
    const received = rows.slice((page - 1) * limit, page * limit);
    for (const row of received) billed.add(idOf(row) ?? Symbol());
    const pagination = {
      limit: given.saysLimit ? limit : undefined,
      totalResults: totalOf(given),
      hasNext: given.saysMore ? page * limit < rows.length : undefined,
    };
    return { ...pageWith(received, pagination), context: { page } };
  };
  return { rows, requests, billed, fetch };
}

describe('reading a list', () => {
  it.each<[string, Partial<Scenario>]>([
    ['reports its total', { total: 'right' }],
    ['reports only whether there is another page', { saysMore: true }],
    ['reports nothing about its length', {}],
    ['returns smaller pages than requested', { total: 'right', saysLimit: true, cap: 7 }],
  ])(
    'returns exactly the wanted rows, from any first row on, when the service %s',
    async (_what, says) => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(120),
          fc.nat(7),
          fc.option(fc.integer({ min: 1, max: 130 }), { nil: undefined }),
          async (count, pages, wanted) => {
            const { rows: all, requests, fetch } = serve({ ...SILENT, ...says, count });
            const skip = pages * 20;
            const list = readPages({ wanted, skip, pageSize: 20, fetch });
            const { rows, context } = await collectListing(list);
            expect(rows).toEqual(all.slice(skip, skip + (wanted ?? count)));
            if (skip === 0) expect(context).toEqual({ page: 1 });
            if (says.cap === undefined) {
              const end = Math.max(...requests.map((page) => rangeOf(page).to));
              expect(end).toBeLessThanOrEqual(skip + (wanted ?? Infinity));
              expect(Math.min(...requests.map((page) => rangeOf(page).from))).toBe(skip);
              // The only request beyond the end is the one that finds the end.
              expect(requests.length).toBeLessThanOrEqual(Math.ceil((wanted ?? count) / 20) + 5);
            }
          },
        ),
      );
    },
  );

  it('prefetches one page of 2,000 rows of a streamed list, and stops with the reader', async () => {
    let requests = 0;
    const fetch = async ({ page, limit }: PageRequest) => {
      requests += 1;
      const rows = Array<Row>(limit).fill({ page });
      const pagination = { limit, totalResults: 1_000_000, hasNext: true };
      return await Promise.resolve(pageWith(rows, pagination));
    };
    const list = { wanted: undefined, streamed: true, pageSize: 10_000, fetch };
    const credits = new CreditBudget(1_500_000);
    let taken = 0;
    for await (const page of readPages(list, runWith(credits))) {
      taken += 1;
      expect(page.rows[0]).toEqual({ page: taken });
      expect(page.rows).toHaveLength(2_000);
      expect(requests - taken).toBeLessThanOrEqual(1);
      if (taken === 100) break;
    }

    expect(requests).toBeLessThanOrEqual(101);
    // Credits reserved for unread pages are free again for others.
    expect(credits.available).toBeGreaterThanOrEqual(1_500_000 - 210_000);
  });

  it('reserves the credits of all pages while it reads the list', async () => {
    const { fetch } = serve({ ...SILENT, total: 'right', count: 100 });
    const credits = new CreditBudget(150);
    const reading = readPages({ wanted: undefined, pageSize: 1, fetch }, runWith(credits));
    await reading.next();
    await reading.next();
    expect(credits.available).toBe(50);
    expect((await collectListing(reading)).rows).toHaveLength(98);
    expect(credits.available).toBe(50);
  });
});

/**
 * Some services hide that more rows exist: they report 40 as the total, or return a short page
 * without comment. The node cannot detect those rows.
 */
const isSilentAboutMore = ({ total, saysMore, saysLimit }: Scenario) =>
  !saysMore && (total === 'capped' || (total === 'missing' && !saysLimit));

it('reads all wanted rows by page, once and in order, in few requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenarios,
      fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
      async (given, wanted) => {
        const { rows, requests, fetch } = serve(given);
        const warnings: string[] = [];
        const list = readPages({ wanted, pageSize: 50, idOf, fetch }, runWith(undefined, warnings));
        const { rows: out } = await collectListing(list);
        const all = rows.slice(0, wanted);

        if (isSilentAboutMore(given)) expect(out).toEqual(all.slice(0, out.length));
        else expect(out).toEqual(all);
        const lies = (totalOf(given) ?? 0) > given.count;
        if (lies && (wanted ?? Infinity) > given.count) {
          expect(warnings.join()).toMatch(/reported \d+ rows in the list, but returned \d+/);
        } else {
          expect(warnings).toEqual([]);
        }
        const pages = Math.ceil(all.length / Math.min(50, given.cap));
        // Allows for pages that must begin at multiples of
        // their size, and for prefetched pages past the end.
        expect(requests.length).toBeLessThanOrEqual(8 + 3 * pages + Math.min(90, 4 + 4 * pages));
      },
    ),
    { numRuns: 400 },
  );
});

it('never exceeds Max Credits, and spends few credits on a list that it refuses', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, fc.integer({ min: 1, max: 400 }), async (given, limit) => {
      const credits = new CreditBudget(limit);
      const { fetch, billed } = serve(given);
      const list = { wanted: undefined, pageSize: 50, idOf, fetch };
      const { failure } = await drain(readPages(list, runWith(credits)));

      if (failure === undefined) {
        expect(billed.size).toBeLessThanOrEqual(limit);
      } else {
        expect(failure).toBeInstanceOf(NotAttemptedError);
        // The first page, and up to two rows that show how long the list is.
        expect(limit - credits.available).toBeLessThanOrEqual(Math.min(limit, 50) + 2);
      }
    }),
    { numRuns: 400 },
  );
});

it('does not send queued page requests when the reader stops', async () => {
  const sent: number[] = [];
  const gate = createGate();
  const refused: unknown[] = [];
  const fetch = async ({ page, limit }: PageRequest, { beforeSend }: CallOptions) => {
    if (page > 2) await gate.opened;
    try {
      beforeSend?.();
    } catch (error) {
      refused.push(error);
      throw error;
    }
    sent.push(page);
    return pageWith([{ page }], { limit, totalResults: 50, hasNext: true });
  };
  let read = 0;
  for await (const page of readPages({ wanted: undefined, pageSize: 1, fetch })) {
    read += page.rows.length;
    if (read === 2) break;
  }
  gate.open();
  await until(() => refused.length + sent.length >= 9);

  expect(sent).toEqual([1, 2]);
});

it('does not send queued page requests when the list ends before its total', async () => {
  const sent: number[] = [];
  const gate = createGate();
  const fetch = async ({ page, limit }: PageRequest, { beforeSend }: CallOptions) => {
    if (page > 3) await gate.opened;
    beforeSend?.();
    sent.push(page);
    // Sends later pages only now. The reader waits for
    // requests in flight, because they are charged.
    if (page === 3) setTimeout(gate.open, 0);
    return pageWith(page < 3 ? [{ page }] : [], { limit, totalResults: 50 });
  };
  const idOf = ({ page }: Row) => String(page);
  const list = readPages({ wanted: undefined, pageSize: 1, idOf, fetch });

  expect((await collectListing(list)).rows).toEqual([{ page: 1 }, { page: 2 }]);
  expect(sent).toEqual([1, 2, 3]);
});

describe('when page 2 of a list of 50 pages fails', () => {
  const list = { path: '/v1/companies', paging: pageNumberPaging(1), wanted: undefined };
  const forbidden = json({ error: 'forbidden' }, 403);
  const pageOf = ({ url }: Received) => Number(new URL(url, 'http://x').searchParams.get('page'));
  const row = (page: number) =>
    json({ data: [{ page }], pagination: { limit: 1, total_results: 50 } });

  it('counts the requests that are in flight', async () => {
    const service = await TestService.start((request, response) => {
      const page = pageOf(request);
      if (page < 2) row(page)(request, response);
      // Later pages never get a response.
      else if (page === 2) setTimeout(() => forbidden(request, response), 50);
    });
    const run = new Run(clientFor(service));

    await expect(collectListing(run.readPages(list))).rejects.toMatchObject({ code: 'forbidden' });
    const { requests } = run.stats;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(service.received.length).toBeGreaterThan(2);
    expect(requests).toBeGreaterThanOrEqual(service.received.length);
  });

  it('stops sending queued page requests', async () => {
    const service = await TestService.start((request, response) => {
      const page = pageOf(request);
      (page === 2 ? forbidden : row(page))(request, response);
    });
    // Four requests per window of 200 ms, so most pages wait for a permit.
    const client = Client.open(settingsFor(service, { requestsPerMinute: 4 }), QUICK);
    const reading = collectListing(new Run(client).readPages(list));

    await expect(reading).rejects.toMatchObject({ code: 'forbidden' });
    // This request is the last in the queue: after its response, no other request waits.
    const last = { method: 'GET', path: '/v1/last', repeatable: true } as const;
    await client.request({ ...last, read: ({ text }) => text });
    await until(() => service.received.some(({ url }) => url === '/v1/last'));
    // On a busy machine, some of the 50 pages are sent before the failure arrives.
    expect(service.received.length).toBeLessThanOrEqual(20);
  });
});
