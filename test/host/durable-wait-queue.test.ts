import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

import { useRealHost } from './harness';
import { productionWorkflow, REFRESHING, type ProductionRun } from './production-workflow';
import { Service } from './service';
import { listDueTimes, park, untilQuiet } from './suspended-executions';

/**
 * Refresh and Wait with suspended executions on an n8n in queue mode. The tests restart its processes, kill a
 * worker and the main process, and kill the worker that is polling.
 */

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const host = useRealHost({ workers: 2 });
const service = new Service(host);

function expectCompleted(run: ProductionRun, domains: readonly string[], jobs: number): void {
  expect(run.items(0)).toMatchObject(domains.map((domain) => ({ refresh_domain: domain })));
  const valuesOf = (column: string) => new Set(run.items(0).map((row) => row[column]));
  expect(valuesOf('refresh_job_status')).toEqual(new Set(['completed']));
  expect(valuesOf('refresh_job_id').size).toBe(jobs);
}

async function expectStarted(jobs: number): Promise<void> {
  const { created, violations } = await host.report();
  expect({ jobs: created.jobs, violations }).toEqual({ jobs, violations: [] });
}

/** n8n loses an execution if its worker is killed between marking it as waiting and being done with it. */
async function workersAreIdle(): Promise<void> {
  const redis = new Redis(host.redisUrl ?? '');
  while ((await redis.llen('bull:jobs:active')) > 0) await sleep(50);
  redis.disconnect();
}

/** Stops processes of n8n from shortly before the first wait falls due until all have, at least for a time. */
async function restartWhileDue(
  minDownMs: number,
  stop: () => Promise<unknown>,
  start: () => Promise<unknown>,
) {
  const dueTimes = await listDueTimes(host);
  await sleep(Math.min(...dueTimes) - Date.now() - 8000);
  const down = Date.now();
  await stop();
  await sleep(Math.max(down + minDownMs, Math.max(...dueTimes) + 5000) - Date.now());
  await start();
}

async function parkAll(name: string, count: number) {
  const tested = { type: 'refreshAndWait', parameters: REFRESHING };
  const workflow = await productionWorkflow(host, name, tested);
  const [domain = '', ...others] = await service.domains(count);
  const ids: string[] = [];
  for (const company of [domain, ...others]) ids.push(await workflow.start([{ company }]));
  for (const id of ids) await workflow.until(id, ['waiting']);
  return async () => {
    const runs = await Promise.all(ids.map(async (id) => await workflow.until(id, ['success'])));
    return runs.flatMap((run) => run.items(0));
  };
}

const stopWorkers = async () => await Promise.all(host.workers.map((worker) => worker.stop()));
const startWorkers = async () => await Promise.all([host.replaceWorker(0), host.replaceWorker(1)]);

test.each([
  ['both workers', 24, 40_000, stopWorkers, startWorkers],
  [
    'all processes',
    4,
    80_000,
    async () => await host.halt(),
    async () => {
      await host.restart();
      await startWorkers();
    },
  ],
] as const)(
  'outputs the result of every row when %s are restarted while %i waits fall due',
  async (what, count, downMs, stop, start) => {
    await service.jobsTakeSeconds(60);
    const { jobs } = (await host.report()).created;
    const results = await parkAll(`Restart of ${what}`, count);

    await restartWhileDue(downMs, stop, start);

    const statuses = (await results()).map((row) => row['refresh_status']);
    expect(statuses).toEqual(Array(count).fill('succeeded'));
    await expectStarted(jobs + count);
  },
);

test('resumes a wait without new jobs after a worker and main are killed', async () => {
  const domains = await service.domains(150);
  await service.jobsTakeSeconds(120);
  const { jobs } = (await host.report()).created;
  const rows = domains.map((company, id) => ({ id, company }));
  const parked = await park(host, 'Queue', REFRESHING, rows);

  await untilQuiet(host);
  await workersAreIdle();
  await host.workers[0]?.kill();
  await host.kill();
  await host.restart();

  expectCompleted(await parked.until('success'), domains, 2);
  await expectStarted(jobs + 2);
  expect(await service.shortestPause()).toBeGreaterThanOrEqual(60_000);
});

test('polls again when all workers are killed during a poll', async () => {
  const [company = ''] = await service.domains(1);
  await service.jobsTakeSeconds(60);
  const { jobs } = (await host.report()).created;
  const parked = await Promise.all(
    ON_ERROR.map(
      async (onError) =>
        await park(host, `Polling ${onError}`, REFRESHING, [{ company }], { onError }),
    ),
  );
  const polls = async () => [...(await service.polls()).values()].flat().length;
  const begun = await polls();
  await service.control('POST', 'faults', {
    preset: 'neverAnswer',
    match: { path: '/v1/jobs/*' },
    when: { from: 1, to: 3 },
  });
  while ((await polls()) < begun + 3) await sleep(100);

  await Promise.all(host.workers.map(async (worker) => await worker.kill()));
  await host.addWorker();

  for (const one of parked) expectCompleted(await one.until('success'), [company], 1);
  await expectStarted(jobs + 3);
});
