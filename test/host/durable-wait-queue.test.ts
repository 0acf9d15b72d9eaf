import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

import { onDatabase } from './database';
import { useRealHost } from './harness';
import { productionWorkflow, REFRESHING, type ProductionRun } from './production-workflow';
import { Service, type Row } from './service';
import { untilQuiet } from './suspended-executions';

/**
 * Refresh and Wait with suspended executions on an n8n in queue mode. The tests first kill a worker
 * and the main process, and later the worker that is polling.
 */

/** After a lost wait, Stop can no longer stop the workflow: its rows report the error like the error output. */
const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const host = useRealHost({ workers: 2 });
const service = new Service(host);

async function park(name: string, rows: readonly Row[], onError: (typeof ON_ERROR)[number]) {
  const tested = { type: 'refreshAndWait', parameters: REFRESHING, onError };
  const workflow = await productionWorkflow(host, name, tested);
  const id = await workflow.start(rows);
  await workflow.until(id, ['waiting']);
  const until = async (states: readonly string[]) => await workflow.until(id, states);
  return { id, onError, until, success: async () => await until(['success']) };
}

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

/** Does what n8n's queue recovery does with an execution whose job is gone, and nothing else. */
const LOSE = `
const changed = database
  .prepare("UPDATE execution_entity SET status = 'crashed', waitTill = NULL, stoppedAt = datetime('now') WHERE status = 'waiting' AND id <> ? AND workflowId = (SELECT workflowId FROM execution_entity WHERE id = ?)")
  .run(values[0], values[0]).changes;
console.log(changed);`;

test('resumes waits without new jobs, and reports lost waits, after a worker and main are killed', async () => {
  const domains = await service.domains(150);
  const companies = domains.map((company, id) => ({ id, company }));
  const rows = companies.slice(0, 3);
  await service.jobsTakeSeconds(120);
  const kept = await park('Queue', companies, 'stopWorkflow');
  const lost = await Promise.all(
    ON_ERROR.map(async (onError) => {
      return await park(`Lost ${onError}`, [...rows, { id: 3, company: 'no domain' }], onError);
    }),
  );

  await untilQuiet(host);
  await workersAreIdle();
  await host.workers[0]?.kill();
  await host.kill();
  for (const { id } of lost) {
    expect(await onDatabase(host.userFolder, LOSE, id)).toBe('1\n');
  }
  await host.restart();

  expectCompleted(await kept.success(), domains, 2);
  await expectStarted(2 + lost.length);
  expect(await service.shortestPause()).toBeGreaterThanOrEqual(60_000);
  for (const { onError, success } of lost) {
    const run = await success();
    const [good, bad] = [run.items(0), run.items(1)];
    const failed = onError === 'continueErrorOutput' ? bad : good;
    expect(failed.slice(0, 3)).toMatchObject(rows.map((row) => expectedLost(onError, row)));
    expect([...good, ...bad]).toHaveLength(4);
    expect(JSON.stringify([good, bad])).not.toContain('give_up_at');
  }
});

test('outputs an error instead of the rows when all workers are killed during a poll', async () => {
  const [company = ''] = await service.domains(1);
  await service.jobsTakeSeconds(100_000);
  const { jobs } = (await host.report()).created;
  const parked = await Promise.all(
    ON_ERROR.map(async (onError) => await park(`Polling ${onError}`, [{ company }], onError)),
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

  const failed = expect.stringContaining('failed to be processed too many times') as unknown;
  for (const { onError, until } of parked) {
    const run = await until([onError === 'stopWorkflow' ? 'error' : 'success']);
    expect([run.items(0), run.items(1)]).toMatchObject(
      {
        stopWorkflow: [[], []],
        continueRegularOutput: [[{ error: failed }], []],
        continueErrorOutput: [[], [{ error: failed }]],
      }[onError],
    );
    if (onError === 'stopWorkflow') expect(run.error?.message).toEqual(failed);
  }
  await expectStarted(jobs + 3);
});

/** Returns the row of a lost wait. It names the job, so that the user can wait for it again. */
function expectedLost(onError: string, row: Row) {
  const code = 'wait_lost';
  const hint = expect.stringMatching(/Wait for Job/) as unknown;
  return onError === 'continueRegularOutput'
    ? { ...row, refresh_status: 'error', refresh_error: code }
    : { error: { code, hint, job_id: expect.any(String) as unknown } };
}
