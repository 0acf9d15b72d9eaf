import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

import { onDatabase } from './database';
import { useRealHost } from './harness';
import { productionWorkflow, type ProductionWorkflow } from './production-workflow';
import { Service, type Row } from './service';

/**
 * Refresh and Wait with suspended executions on an n8n in queue mode. The tests first kill a worker
 * and the main process, and later the worker that is polling.
 */

/**
 * After a lost wait, Stop can no longer stop the workflow. Its rows then report the error as on the
 * error output.
 */
const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];

/** Maximum wait, because n8n takes minutes to notice that a worker is gone. */
const LONGEST_MS = 900_000;

const host = useRealHost({ workers: 2 });
const service = new Service(host);

async function waitingWorkflow(name: string, onError?: string, options: Row = {}) {
  return await productionWorkflow(host, name, {
    type: 'refreshAndWait',
    parameters: { operation: 'refreshAndWait', domain: '={{ $json.company }}', options },
    ...(onError === undefined ? {} : { onError }),
  });
}

/** Starts a workflow that waits. The test later makes n8n lose this wait. */
async function parkLost(onError: string, workflow: ProductionWorkflow) {
  const rows = (await service.domains(3)).map((company, id) => ({ id, company }));
  const id = await workflow.start([...rows, { id: 3, company: 'no domain' }]);
  await workflow.until(id, ['waiting']);
  return { onError, id, workflow, rows };
}

/**
 * Waits until all workers are idle. n8n marks an execution as waiting a moment before its worker is
 * done with it. If the worker is killed in this moment, the execution is lost.
 */
async function workersAreIdle(): Promise<void> {
  const redis = new Redis(host.redisUrl ?? '');
  try {
    while ((await redis.llen('bull:jobs:active')) > 0) await sleep(50);
  } finally {
    redis.disconnect();
  }
}

/** Does what n8n's queue recovery does with an execution whose job is gone, and nothing else. */
const LOSE = `
const changed = database
  .prepare("UPDATE execution_entity SET status = 'crashed', waitTill = NULL, stoppedAt = datetime('now') WHERE status = 'waiting' AND id <> ? AND workflowId = (SELECT workflowId FROM execution_entity WHERE id = ?)")
  .run(values[0], values[0]).changes;
console.log(changed);`;

test('resumes waits without new jobs, and reports lost waits, after a worker and main are killed', async () => {
  const domains = await service.domains(150);
  await service.jobsTakeSeconds(80);
  const workflow = await waitingWorkflow('Queue');
  const losing = await Promise.all(
    ON_ERROR.map(async (onError) => await waitingWorkflow(`Lost ${onError}`, onError)),
  );
  // Start the workflows one after the other, so that none wakes up while others are being
  // suspended.
  const id = await workflow.start(domains.map((company) => ({ company })));
  await workflow.until(id, ['waiting']);
  const lost = await Promise.all(
    losing.map(async (own, index) => await parkLost(ON_ERROR[index] ?? '', own)),
  );
  const jobs = 2 + lost.length;

  await workersAreIdle();
  await host.workers[0]?.kill();
  await host.kill();
  for (const { id: parent } of lost) {
    // Two executions: the one that waits for the node, and the one that polls for it.
    expect(await onDatabase(host.userFolder, LOSE, parent)).toBe('2\n');
  }
  await host.restart();
  const run = await workflow.until(id, ['success']);

  const results = run.items(0).map(({ refresh }) => refresh as Record<string, unknown>);
  expect(results.map(({ domain }) => domain)).toEqual(domains);
  expect(results.every(({ job_status: status }) => status === 'completed')).toBe(true);
  expect(new Set(results.map(({ job_id: job }) => job)).size).toBe(2);
  const { created, violations } = await service.report();
  expect(created.jobs).toBe(jobs);
  expect(violations).toEqual([]);
  expect(await service.shortestPause()).toBeGreaterThanOrEqual(60_000);

  for (const { onError, id: lostId, workflow: own, rows } of lost) {
    const ended = await own.until(lostId, ['success']);
    const [good, bad] = [ended.items(0), ended.items(1)];
    const byOutput = onError === 'continueErrorOutput' ? bad : good;
    const failed = byOutput.slice(0, 3);
    for (const [index, row] of failed.entries()) {
      expect(row).toMatchObject(expectedLost(onError, rows[index]));
    }
    expect([...good, ...bad]).toHaveLength(4);
    expect(JSON.stringify([good, bad])).not.toContain('give_up_at');
  }
});

test('resumes the wait on a new worker and outputs every row when all workers are killed during a poll', async () => {
  await service.jobsTakeSeconds(80);
  const domains = await service.domains(252);
  const workflow = await waitingWorkflow('Polling', 'continueRegularOutput');
  const before = (await service.report()).created.jobs;
  const id = await workflow.start(domains.map((company) => ({ company })));
  await workflow.until(id, ['waiting']);
  const begun = await service.polls();
  await service.control('POST', 'faults', {
    preset: 'neverAnswer',
    match: { path: '/v1/jobs/*' },
    when: { from: 1, to: 3 },
  });
  while (count(await service.polls()) < count(begun) + 3) await sleep(100);

  await Promise.all(host.workers.map(async (worker) => await worker.kill()));
  await host.addWorker();
  const run = await workflow.until(id, ['success'], LONGEST_MS);

  const results = run.items(0).map(({ refresh }) => refresh as Record<string, unknown>);
  expect(results.map(({ domain }) => domain)).toEqual(domains);
  expect(new Set(results.map(({ job_status: status }) => status))).toEqual(new Set(['completed']));
  // The service could not reach the other companies.
  const crawled = results.filter(({ status }) => status === 'succeeded');
  expect(crawled.length).toBeGreaterThan(200);
  const { created, violations } = await service.report();
  expect(created.jobs).toBe(before + 3);
  expect(violations).toEqual([]);
});

function count(polls: ReadonlyMap<string, readonly number[]>): number {
  return [...polls.values()].flat().length;
}

/**
 * Returns the row of a lost wait. The row names the job, so that the user can wait for it again.
 */
function expectedLost(onError: string, row: Row | undefined) {
  const code = 'wait_lost';
  const hint = expect.stringMatching(/Wait for Job/) as unknown;
  return onError === 'continueRegularOutput'
    ? { ...row, refresh: { status: 'error', error: code, details: { hint } } }
    : { error: { code, hint, job_id: expect.any(String) as unknown } };
}
