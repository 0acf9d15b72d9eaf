import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { useRealHost } from './harness';
import { productionWorkflow, savedUserCredential } from './production-workflow';
import { Service } from './service';

/**
 * One key on an n8n in queue mode with three workers that share the key's limit through Redis.
 * Redis loses its data about the key, and later a worker is killed.
 */

/** Number of executions that each worker runs at the same time. */
const CONCURRENCY = 5;
/** More executions than two workers can run, so that all three workers have some. */
const EXECUTIONS = 2 * CONCURRENCY + 2;
const ROWS = 45;

const host = useRealHost({
  workers: 3,
  // The sandbox rejects every request above 600 in any 60 seconds.
  sandboxArgs: ['--window', 'sliding', '--latency', '20'],
});
const service = new Service(host);
let redis: Redis;

beforeAll(async () => {
  // This is not the queue's database, so the test can empty it.
  redis = new Redis(`${host.redisUrl ?? ''}/1`);
  await shareLimit(`${host.redisUrl ?? ''}/1`);
});

afterAll(() => {
  redis.disconnect();
});

/** Enters the Redis URL into the examples' credential, as a user would. */
async function shareLimit(redisUrl: string): Promise<void> {
  const credential = await savedUserCredential(host);
  await host.rest.request('PATCH', `/rest/credentials/${credential?.id ?? ''}`, {
    ...credential,
    data: {
      baseUrl: host.sandboxUrl,
      apiKey: host.keys.user,
      // Less than 600, because the test itself uses the key to read the domains.
      requestsPerMinute: 590,
      maxBatchSize: 100,
      redisUrl,
      allowedHttpRequestDomains: 'all',
    },
  });
}

const sent = async () => {
  const { requests, byStatus } = (await host.report()) as unknown as {
    requests: number;
    byStatus: Record<string, number>;
  };
  return { requests, byStatus };
};

const untilSent = async (requests: number): Promise<void> => {
  while ((await sent()).requests < requests) await sleep(500);
};

const untilQuiet = async (): Promise<void> => {
  for (let before = -1, now = 0; before !== now; now = (await sent()).requests) {
    before = now;
    await sleep(10_000);
  }
};

test("keeps three workers within one key's limit when Redis loses its data and a worker is killed", async () => {
  const domains = await service.domains(EXECUTIONS * ROWS);
  const workflow = await productionWorkflow(host, 'Shared', {
    type: 'companyLookup',
    parameters: {
      operation: 'get',
      identifier: '={{ $json.company }}',
      options: { output: 'result' },
    },
  });
  const { requests: before } = await sent();
  const ids: string[] = [];
  for (let execution = 0; execution < EXECUTIONS; execution += 1) {
    const rows = domains.slice(execution * ROWS, (execution + 1) * ROWS);
    ids.push(await workflow.start(rows.map((company) => ({ company }))));
  }
  await untilSent(before + 120);
  const [workers] = await redis.keys('company-intelligence:*:workers');
  expect(await redis.zcard(workers ?? '')).toBe(3);
  await redis.flushdb();
  await untilSent(before + 250);
  await host.workers[0]?.kill();
  await untilQuiet();

  // n8n has to recover the killed worker's executions. All other executions have finished.
  const runs = await Promise.all(
    ids.map(async (id) => await workflow.until(id, ['success', 'running', 'crashed'])),
  );
  const finished = runs.filter(({ status }) => status === 'success');
  expect(finished.length).toBeGreaterThanOrEqual(EXECUTIONS - CONCURRENCY);
  for (const run of finished) {
    const rows = domains.slice(ids.indexOf(run.id) * ROWS).slice(0, ROWS);
    expect(run.items(0).map(({ domain }) => domain)).toEqual(rows);
  }
  const { byStatus } = await sent();
  expect(Object.keys(byStatus)).toEqual(['200']);
});
