import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { useRealHost } from './harness';
import { productionWorkflow } from './production-workflow';
import { Service } from './service';

/**
 * One key on an n8n in queue mode with three workers that share the key's limit through Redis.
 * Redis loses its data about the key, and later a worker is killed.
 */

const CONCURRENCY = 5;
/** More executions than two workers can run, so that all three workers have some. */
const EXECUTIONS = 2 * CONCURRENCY + 2;
/** Together more rows than the service takes in a minute, even if the killed worker sends few of its own. */
const ROWS = 80;

const host = useRealHost({
  workers: 3,
  // The sandbox rejects every request above 600 in any 60 seconds.
  sandboxArgs: ['--window', 'sliding', '--latency', '20'],
});

const sent = async (): Promise<number> => (await host.report()).requests;

const untilSent = async (requests: number): Promise<void> => {
  while ((await sent()) < requests) await sleep(500);
};

test("keeps three workers within one key's limit when Redis loses its data and a worker is killed", async () => {
  // This is not the queue's database, so the test can empty it.
  const redisUrl = `${host.redisUrl ?? ''}/1`;
  // Less than 600, because the test itself uses the key to read the domains.
  await host.changeCredential({ requestsPerMinute: 590, redisUrl });
  const redis = new Redis(redisUrl);
  const domains = await new Service(host).domains(EXECUTIONS * ROWS);
  const workflow = await productionWorkflow(host, 'Shared', {
    type: 'companyLookup',
    parameters: {
      operation: 'get',
      identifier: '={{ $json.company }}',
    },
  });
  const before = await sent();
  const rowsOf = (execution: number) => domains.slice(execution * ROWS, (execution + 1) * ROWS);
  const ids: string[] = [];
  while (ids.length < EXECUTIONS) {
    ids.push(await workflow.start(rowsOf(ids.length).map((company) => ({ company }))));
  }
  await untilSent(before + 120);
  const [workers] = await redis.keys('company-intelligence:*:workers');
  expect(await redis.zcard(workers ?? '')).toBe(3);
  await redis.flushdb();
  redis.disconnect();
  await untilSent(before + 250);
  await host.workers[0]?.kill();
  for (let last = -1, now = 0; last !== now; now = await sent()) {
    last = now;
    await sleep(10_000);
  }

  // n8n has to recover the killed worker's executions. All other executions have finished.
  const runs = await Promise.all(
    ids.map(async (id) => await workflow.until(id, ['success', 'running', 'crashed', 'error'])),
  );
  // Four processes of n8n share one SQLite file here.
  const failed = runs.filter(({ status }) => status === 'error');
  for (const { error } of failed) expect(error?.message).toContain('database is locked');
  const finished = runs.filter(({ status }) => status === 'success');
  expect(finished.length).toBeGreaterThanOrEqual(EXECUTIONS - CONCURRENCY);
  for (const run of finished) {
    expect(run.items(0).map(({ domain }) => domain)).toEqual(rowsOf(ids.indexOf(run.id)));
  }
  expect(Object.keys((await host.report()).byStatus)).toEqual(['200']);
});
