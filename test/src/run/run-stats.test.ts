import { Readable } from 'node:stream';

import fc from 'fast-check';

import { RecentReads } from '../../../src/client/keys';
import type { BatchReport } from '../../../src/run/batches';
import { CreditBudget } from '../../../src/run/credit-budget';
import { estimateSeconds, RunStatsCounter } from '../../../src/run/run-stats';

const COMPANIES = 200_000;

it('a run may find more companies than a call can have arguments', () => {
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
  'companies of a list are known by their %s the next time',
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

it('as many requests as the limit allows take no time, each further limit a minute or a day', () => {
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
