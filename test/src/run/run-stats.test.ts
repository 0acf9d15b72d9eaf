import { Readable } from 'node:stream';

import fc from 'fast-check';

import { RecentReads } from '../../../src/client/keys';
import { ServerError } from '../../../src/client/errors';
import type { BatchReport } from '../../../src/run/batches';
import { CreditBudget } from '../../../src/run/credit-budget';
import {
  estimateSeconds,
  roundRequests,
  RunStatsCounter,
  toForecast,
} from '../../../src/run/run-stats';

const COMPANIES = 200_000;

it('counts more found companies than a function call can have arguments', () => {
  const tally = new RunStatsCounter(new RecentReads('secret', 0));
  const domains = Array.from({ length: COMPANIES }, (_unused, index) => `company-${index}.com`);
  const outcomes: BatchReport['outcomes'] = new Map(
    domains.map((domain) => [domain, { kind: 'row', row: { domain } }]),
  );

  tally.recordResponse(
    { outcomes, charged: domains, answers: 1, schemaMismatches: [] },
    Date.now(),
  );

  expect(tally.toRunStats(new CreditBudget())).toMatchObject({ found: COMPANIES, readBefore: 0 });
});

it.each(['primary_domain', 'partner_domain'])(
  'recognizes companies of an earlier list by their %s',
  async (name) => {
    const reads = new RecentReads('secret', 0);
    const rows = [{ [name]: 'a.com' }, { [name]: 'B.com' }, { name: 'without a domain' }];
    const read = async () => {
      const tally = new RunStatsCounter(reads);
      const page = {
        rows,
        context: {},
        pagination: { limit: undefined, totalResults: undefined, hasNext: false },
      };
      const pages = tally.countPages(Readable.from([page]), {
        skip: 0,
        isLimited: false,
        isRead: true,
      });
      for await (const one of pages) expect(one.rows).toBe(rows);
      return tally.toRunStats(new CreditBudget());
    };

    expect(await read()).toMatchObject({ rows: 3, readBefore: 0 });
    expect(await read()).toMatchObject({ rows: 3, readBefore: 2 });
  },
);

it('estimates no time within the limits, then at least a minute or a day per limit', () => {
  const count = fc.integer({ min: 1, max: 10_000 });
  fc.assert(
    fc.property(count, count, fc.nat(50), (requestsPerMinute, requestsPerDay, times) => {
      const pace = { requestsPerMinute, requestsPerDay };
      const free = Math.min(requestsPerMinute, requestsPerDay);

      expect(estimateSeconds(0, pace)).toBe(0);
      expect(estimateSeconds(free, pace)).toBe(0);
      expect(estimateSeconds(requestsPerMinute * times + 1, pace)).toBeGreaterThanOrEqual(
        60 * times,
      );
      expect(estimateSeconds(requestsPerDay * times + 1, pace)).toBeGreaterThanOrEqual(
        86_400 * times,
      );
    }),
  );
});

const domain = (name: string) => ({ primary_domain: name });
const pageOf = (rows: ReadonlyArray<ReturnType<typeof domain>>, total?: number) => ({
  rows,
  context: {},
  pagination: { limit: undefined, totalResults: total, hasNext: undefined },
});

describe('the rows of a list', () => {
  const count = async (
    pages: Iterable<ReturnType<typeof pageOf>> | AsyncIterable<ReturnType<typeof pageOf>>,
    change: { skip?: number; isLimited?: boolean; isRead?: boolean; keeps?: () => boolean } = {},
    reads = new RecentReads('secret', 0),
  ) => {
    const tally = new RunStatsCounter(reads);
    const list = { skip: 0, isLimited: true, isRead: true, ...change };
    const out: unknown[] = [];
    let failure: unknown;
    try {
      for await (const page of tally.countPages(Readable.from(pages), list)) out.push(...page.rows);
    } catch (error) {
      failure = error;
    }
    return { ...tally.toRunStats(new CreditBudget()), out: out.length, failure };
  };
  const two = [domain('a.com'), domain('b.com')];

  it('are counted as remaining if a limit omits them and the total is known', async () => {
    const pages = [pageOf(two, 9), pageOf(two)];
    expect(await count(pages)).toMatchObject({ rows: 4, left: 5, out: 4 });
    expect(await count(pages, { skip: 2 })).toMatchObject({ left: 3 });
    expect(await count(pages, { isLimited: false })).toMatchObject({ left: 0 });
    expect(await count([pageOf(two)])).toMatchObject({ left: 0 });
    expect(await count([pageOf(two, 1)])).toMatchObject({ left: 0 });
  });

  it('are dropped and counted when a filter rejects them', async () => {
    expect(await count([pageOf(two), pageOf(two)], { keeps: () => false })).toMatchObject({
      rows: 4,
      dropped: 4,
      out: 0,
    });
  });

  it('are counted in the error when they were dropped before a failure', async () => {
    async function* failing() {
      yield pageOf(two);
      await Promise.resolve();
      throw new ServerError({ code: 'broken', message: 'Broken', hint: '-' });
    }
    expect(await count(failing(), { keeps: () => false })).toMatchObject({
      dropped: 2,
      failure: { code: 'broken', details: { rows_dropped: 2 } },
    });
    expect(await count(failing())).toMatchObject({ dropped: 0, failure: { details: {} } });
  });

  it('are not recorded as read when they go to a file', async () => {
    const reads = new RecentReads('secret', 0);
    await count([pageOf(two)], { isRead: false }, reads);
    expect(await count([pageOf(two)], {}, reads)).toMatchObject({ readBefore: 0 });
    expect(await count([pageOf(two)], {}, reads)).toMatchObject({ readBefore: 2 });
  });
});

it('counts found and missing companies as looked up, but not failed ones', () => {
  const tally = new RunStatsCounter(new RecentReads('secret', 0));
  tally.found(domain('a.com'), 1);
  tally.notFound();
  tally.found(domain('a.com'), 2);
  const error = new ServerError({ code: 'broken', message: 'Broken', hint: '-' });
  const outcomes: BatchReport['outcomes'] = new Map([
    ['b.com', { kind: 'row', row: domain('b.com') }],
    ['c.com', { kind: 'missing' }],
    ['d.com', { kind: 'failed', error }],
  ]);
  tally.recordResponse({ outcomes, charged: ['b.com'], answers: 1, schemaMismatches: [] }, 3);

  const { asked, found, readBefore } = tally.toRunStats(new CreditBudget());
  expect({ asked, found, readBefore }).toEqual({ asked: 5, found: 3, readBefore: 1 });
});

it.each([
  [0, 0],
  [1e-9, 0],
  [0.001, 0.01],
  [1 / 3, 0.33],
  [2, 2],
  [2.999, 3],
])('rounds %d requests to %d', (requests, rounded) => {
  expect(roundRequests(requests)).toBe(rounded);
});

it('counts the companies that this n8n has read in a forecast', () => {
  const reads = new RecentReads('secret', 5);
  reads.record(['a.com'], Date.now());
  const keyLimits = { requestsPerMinute: 2, requestsPerDay: 100 };

  expect(toForecast({ keyLimits, reads }, 5, new Set(['a.com', 'b.com']), 7)).toEqual({
    companies: 2,
    requests: 5,
    seconds: 120,
    readBefore: 1,
    knownSince: 5,
    limit: 7,
  });
});
