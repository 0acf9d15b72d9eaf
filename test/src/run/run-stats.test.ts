import { Readable } from 'node:stream';

import { collectListing } from '../../../src/run/listing/listing';
import type { Row } from '../../../src/values/json';
import { CreditBudget } from '../../../src/run/run-guards';
import { roundRequests, RunStatsCounter } from '../../../src/run/run-stats';

const domain = (name: string) => ({ primary_domain: name });
const pageOf = (rows: readonly Row[], totalResults?: number) => ({
  rows,
  context: {},
  pagination: { totalResults },
});

const two = [domain('a.com'), domain('b.com')];

async function count(
  pages: ReadonlyArray<ReturnType<typeof pageOf>>,
  change: { skip?: number; isLimited?: boolean } = {},
) {
  const counter = new RunStatsCounter();
  const list = { skip: 0, isLimited: true, ...change };
  const { rows: out } = await collectListing(counter.countPages(Readable.from(pages), list));
  return { ...counter.toRunStats(new CreditBudget()), out };
}

it('counts rows as remaining if a limit omits them and the total is known', async () => {
  const pages = [pageOf(two, 9), pageOf(two)];
  expect(await count(pages)).toMatchObject({ rows: 4, left: 5, out: [...two, ...two] });
  expect(await count(pages, { skip: 2 })).toMatchObject({ left: 3 });
  const none = [count(pages, { isLimited: false }), count([pageOf(two)]), count([pageOf(two, 1)])];
  for (const stats of await Promise.all(none)) expect(stats.left).toBe(0);
});

it('rounds requests to hundredths, but never a fraction of one to none', () => {
  const rounded = [0, 1e-9, 0.001, 1 / 3, 2, 2.999].map(roundRequests);
  expect(rounded).toEqual([0, 0, 0.01, 0.33, 2, 3]);
});
