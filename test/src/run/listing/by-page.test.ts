/**
 * Tests lists that are read by page: exactly the wanted
 * rows, in few requests (API spec: Conventions, rule 4).
 */
import fc from 'fast-check';

import { CreditBudget } from '../../../../src/run/credit-budget';
import { collectListing } from '../../../../src/run/listing/listing';
import { type Page, readPage } from '../../../../src/run/responses/page';
import { pageNumberPaging } from '../../../../src/run/listing/paging';
import { Run } from '../../../../src/run/run';
import { InvalidResponseError } from '../../../../src/client/errors';
import type { CallOptions } from '../../../../src/client/call';
import type { Row } from '../../../../src/run/responses/rows';
import { Client } from '../../../../src/client/client';
import { settingsFor } from '../../client/support/client';
import { json, TestService } from '../../client/support/service';
import { QUICK, until } from '../../client/support/timing';
import { type PagedList, type PageRequest, readPages, type RunOptions } from './support';

afterAll(async () => {
  await TestService.stopAll();
});

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

describe('readPage', () => {
  it('returns rows, pagination and all other fields', () => {
    const pagination = { page: 1, limit: 2, total_results: 9, has_next: true };
    expect(readPage({ data: [{ a: 1 }], pagination, company: { name: 'A' }, x: 5 })).toEqual({
      rows: [{ a: 1 }],
      context: { company: { name: 'A' }, x: 5 },
      pagination: { limit: 2, totalResults: 9, hasNext: true },
    });
  });

  it.each([undefined, null, 'x', { total_results: 'nine', limit: null, has_next: 'yes' }])(
    'returns the rows when the pagination is %j',
    (pagination) => {
      expect(readPage({ data: [{ a: 1 }], pagination })).toMatchObject({
        rows: [{ a: 1 }],
        pagination: { limit: undefined, totalResults: undefined, hasNext: undefined },
      });
    },
  );

  it.each<[pagination: object, hasNext: boolean | undefined]>([
    [{ has_next: false, next_url: 'https://a.example/x' }, false],
    [{ next_url: 'https://a.example/x' }, true],
    [{ next_url: null, total_results: 9 }, undefined],
  ])('reads from the pagination %j whether there is another page: %j', (pagination, hasNext) => {
    expect(readPage({ data: [], pagination }).pagination.hasNext).toBe(hasNext);
  });

  it.each([null, [], {}, { data: {} }, 'text'])('throws when there are no rows: %j', (envelope) => {
    expect(() => readPage(envelope)).toThrow(InvalidResponseError);
  });
});

/** Simulates a service with this many rows, and records the requests. */
function serviceOf(total: number, tells: { total?: boolean; hasNext?: boolean; largest?: number }) {
  const asked: PageRequest[] = [];
  const fetch = async ({ page, limit: wanted }: PageRequest): Promise<Page> => {
    asked.push({ page, limit: wanted });
    const limit = Math.min(wanted, tells.largest ?? wanted);
    const rows = Array.from({ length: total }, (_unused, id) => ({ id }));
    return await Promise.resolve({
      rows: rows.slice((page - 1) * limit, page * limit),
      context: { page },
      pagination: {
        limit: tells.largest === undefined ? undefined : limit,
        totalResults: tells.total === true ? total : undefined,
        hasNext: tells.hasNext === true ? page * limit < total : undefined,
      },
    });
  };
  return { asked, fetch };
}

const readListing = async (request: PagedList, options: RunOptions) =>
  await collectListing(readPages(request, options));

describe('reading a list', () => {
  it.each([
    ['reports its total', { total: true }],
    ['reports only whether there is another page', { hasNext: true }],
    ['reports nothing about its length', {}],
    ['returns smaller pages than requested', { total: true, largest: 7 }],
  ])(
    'returns exactly the wanted rows, from any first row on, when the service %s',
    async (_what, tells) => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(120),
          fc.nat(7),
          fc.option(fc.integer({ min: 1, max: 130 }), { nil: undefined }),
          async (total, pages, wanted) => {
            const { asked, fetch } = serviceOf(total, tells);
            const skip = pages * 20;
            const request = { wanted, skip, pageSize: 20, fetch };
            const { rows, context } = await readListing(request, {});
            const all = Array.from({ length: total }, (_unused, id) => ({ id }));
            expect(rows).toEqual(all.slice(skip, skip + (wanted ?? total)));
            if (skip === 0) expect(context).toEqual({ page: 1 });
            if (!('largest' in tells)) {
              const end = Math.max(...asked.map((page) => rangeOf(page).to));
              expect(end).toBeLessThanOrEqual(skip + (wanted ?? Infinity));
              expect(Math.min(...asked.map((page) => rangeOf(page).from))).toBe(skip);
              // The only request beyond the end is the one that finds the end.
              expect(asked.length).toBeLessThanOrEqual(Math.ceil((wanted ?? total) / 20) + 5);
            }
          },
        ),
      );
    },
  );

  it('prefetches one page of 2,000 rows of a streamed list, and stops with the reader', async () => {
    let asked = 0;
    const full = async ({ page, limit }: PageRequest) => {
      asked += 1;
      return await Promise.resolve({
        rows: new Array<{ page: number }>(limit).fill({ page }),
        context: {},
        pagination: { limit, totalResults: 1_000_000, hasNext: true },
      });
    };
    const request = {
      wanted: undefined,
      streamed: true,
      pageSize: 10_000,

      fetch: full,
    };
    const guard = new CreditBudget(1_500_000);
    let taken = 0;
    for await (const page of readPages(request, { guard })) {
      taken += 1;
      expect(page.rows[0]).toEqual({ page: taken });
      expect(page.rows).toHaveLength(2_000);
      expect(asked - taken).toBeLessThanOrEqual(1);
      if (taken === 100) break;
    }

    expect(asked).toBeLessThanOrEqual(101);
    // Credits reserved for unread pages are free again for others.
    expect(guard.available).toBeGreaterThanOrEqual(1_500_000 - 210_000);
  });

  it('reserves the credits of all pages while it reads the list', async () => {
    const { fetch } = serviceOf(100, { total: true });
    const guard = new CreditBudget(150);
    const reading = readPages({ wanted: undefined, pageSize: 1, fetch }, { guard });
    await reading.next();
    await reading.next();
    expect(guard.available).toBe(50);
    expect((await collectListing(reading)).rows).toHaveLength(98);
    expect(guard.available).toBe(50);
  });
});

it('does not send queued page requests when the reader stops', async () => {
  const sent: number[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const refused: unknown[] = [];
  const fetch = async ({ page, limit }: PageRequest, { beforeSend }: CallOptions) => {
    if (page > 2) await gate;
    try {
      beforeSend?.();
    } catch (error) {
      refused.push(error);
      throw error;
    }
    sent.push(page);
    const pagination = { limit, totalResults: 50, hasNext: true };
    return { rows: [{ page }], context: {}, pagination };
  };
  const list = { wanted: undefined, pageSize: 1, fetch };
  let read = 0;
  for await (const page of readPages(list, {})) {
    read += page.rows.length;
    if (read === 2) break;
  }
  open();
  await until(() => refused.length + sent.length >= 9);

  expect(sent).toEqual([1, 2]);
});

it('does not send queued page requests when the list ends before its total', async () => {
  const sent: number[] = [];
  let sendOthers = (): void => undefined;
  const others = new Promise<void>((resolve) => {
    sendOthers = resolve;
  });
  const fetch = async ({ page, limit }: PageRequest, { beforeSend }: CallOptions) => {
    if (page > 3) await others;
    beforeSend?.();
    sent.push(page);
    // Sends later pages only now. The reader waits for
    // requests in flight, because they are charged.
    if (page === 3) setTimeout(sendOthers, 0);
    const rows = page < 3 ? [{ page }] : [];
    return { rows, context: {}, pagination: { limit, totalResults: 50, hasNext: undefined } };
  };
  const idOf = ({ page }: Row) => String(page);
  const list = { wanted: undefined, pageSize: 1, idOf, fetch };
  const { rows } = await collectListing(readPages(list, {}));

  expect(rows).toEqual([{ page: 1 }, { page: 2 }]);
  expect(sent).toEqual([1, 2, 3]);
});

it('counts a probed row once when its page is read too', async () => {
  const { fetch, asked } = serviceOf(80, { total: true });
  const guard = new CreditBudget(90);
  const idOf = ({ id }: Row) => String(id);
  const list = { wanted: undefined, pageSize: 100, idOf, fetch };
  const { rows } = await readListing(list, { guard });

  expect(asked.map(({ limit }) => limit)).toEqual([1, 80]);
  expect([rows.length, guard.maxSpent]).toEqual([80, 80]);
});

it('reads a free list to its end, whatever Max Credits is', async () => {
  const { fetch } = serviceOf(80, { total: true });
  const guard = new CreditBudget(3);
  const list = { wanted: undefined, pageSize: 20, isFree: true, fetch };
  const { rows } = await readListing(list, { guard });

  expect([rows.length, guard.maxSpent, guard.available]).toEqual([80, 0, 3]);
});

it('counts the requests that are in flight when a page fails', async () => {
  const service = await TestService.start((request, response) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page'));
    const rows = { data: [{ page }], pagination: { limit: 1, total_results: 50 } };
    if (page < 2) json(rows)(request, response);
    // Later pages never get a response.
    else if (page === 2) setTimeout(() => json({ error: 'forbidden' }, 403)(request, response), 50);
  });
  const run = new Run(Client.open(settingsFor(service), QUICK));
  const reading = collectListing(
    run.readPages({
      path: '/v1/companies',
      paging: pageNumberPaging(1),
      wanted: undefined,
    }),
  );

  await expect(reading).rejects.toMatchObject({ code: 'forbidden' });
  const { requests } = run.stats;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(service.received.length).toBeGreaterThan(2);
  expect(requests).toBeGreaterThanOrEqual(service.received.length);
});

it('stops sending queued page requests when another page fails', async () => {
  const service = await TestService.start((request, response) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page'));
    const rows = { data: [{ page }], pagination: { limit: 1, total_results: 50 } };
    json(page === 2 ? { error: 'forbidden' } : rows, page === 2 ? 403 : 200)(request, response);
  });
  // Four requests per window of 200 ms, so most pages wait for a permit.
  const settings = settingsFor(service, { requestsPerMinute: 4 });
  const client = Client.open(settings, QUICK);
  const list = { path: '/v1/companies', paging: pageNumberPaging(1), wanted: undefined };
  const reading = collectListing(new Run(client).readPages(list));

  await expect(reading).rejects.toMatchObject({ code: 'forbidden' });
  // This request is the last in the queue: after its response, no other request waits.
  await client.request({
    method: 'GET',
    path: '/v1/last',
    repeatable: true,
    read: ({ text }) => text,
  });
  await until(() => service.received.some(({ url }) => url === '/v1/last'));
  // The list has 50 pages. On a busy machine, some of them are sent before the failure arrives.
  expect(service.received.length).toBeLessThanOrEqual(20);
});
