import { setTimeout as sleep } from 'node:timers/promises';
import { exampleNamed, outcomeOf } from './example';
import { useRealHost } from './harness';
import {
  OVER,
  productionWorkflow,
  type ProductionRun,
  type ProductionWorkflow,
} from './production-workflow';
import { Service, type Row } from './service';

/**
 * Refresh and Wait with suspended executions on a real n8n that is killed and restarted while they
 * wait. All workflows wait at the same time, because n8n suspends an execution for at least 65 s.
 */

/** Long enough for three rounds of waiting on a busy machine. */
const LONGEST_MS = 900_000;

/** Slightly longer than n8n's minimum suspension. */
const TIMEOUT_S = 80;

const host = useRealHost();
const service = new Service(host);
let domains: string[];

const refreshing = { operation: 'refreshAndWait', domain: '={{ $json.company }}', options: {} };
const waiting = { operation: 'waitForJob', jobId: '={{ $json.job }}', options: {} };
const node = (parameters: Row, onError = 'stopWorkflow') => ({
  type: 'refreshAndWait',
  parameters,
  onError,
});

interface Waiting {
  readonly workflow: ProductionWorkflow;
  readonly id: string;
  readonly rows: readonly Row[];
}

let inThreeJobs: Waiting;
let messy: Waiting;
let stopped: Waiting & { readonly job: string; readonly at: number; readonly tookMs: number };
let timingOut: Waiting & { readonly job: string };
let routed: Waiting;
let failing: Waiting;
let jobsStarted: number;
let loop: ReturnType<typeof host.rest.run>;

async function park(
  name: string,
  tested: ReturnType<typeof node>,
  rows: readonly Row[],
  settings: Row = {},
): Promise<Waiting> {
  const workflow = await productionWorkflow(host, name, tested, settings);
  const id = await workflow.start(rows);
  await workflow.until(id, ['waiting']);
  return { workflow, id, rows };
}

async function result({ workflow, id }: Waiting, state: string): Promise<ProductionRun> {
  return await workflow.until(id, [state], LONGEST_MS);
}

/**
 * Waits until no polling round runs and none begins within 3 seconds. After kill -9, n8n does not
 * continue a polling round that was running.
 */
async function nothingRuns(): Promise<void> {
  for (;;) {
    const path = '/rest/executions?limit=50';
    const { results } = (await host.rest.request('GET', path)) as {
      results: Array<{ status: string; waitTill: string | null }>;
    };
    const soon = Date.now() + 3000;
    const isBusy = ({ status, waitTill }: (typeof results)[number]): boolean =>
      status === 'running' || (status === 'waiting' && new Date(waitTill ?? 0).getTime() < soon);
    if (!results.some(isBusy)) return;
    await sleep(100);
  }
}

beforeAll(async () => {
  domains = await service.domains(250);

  await service.jobsTakeSeconds(20, 60);
  inThreeJobs = await park(
    'Three jobs',
    node(refreshing),
    domains.map((company, id) => ({ id, company })),
  );
  await service.jobsTakeSeconds(40);
  const [a = '', b = ''] = domains;
  const options = {
    onlyIfOlderThanDays: 30,
    lastSeenAt: '={{ $json.seen }}',
  };
  const old = new Date(0).toISOString();
  messy = await park('Messy rows', node({ ...refreshing, options }), [
    { id: 0, company: `https://www.${a}/about`, seen: old },
    { id: 1, company: 'junk', seen: old },
    { id: 2, company: b, seen: old },
    { id: 3, company: `info@${a}`, seen: old },
    { id: 4, company: 'nobody-tracks-this.com', seen: old },
    { id: 5, company: domains[2], seen: new Date().toISOString() },
  ]);
  routed = await park('Error output', node(waiting, 'continueErrorOutput'), [
    { id: 0, job: await service.startJob() },
    { id: 1, job: 'job_999999' },
    { id: 2, job: '' },
    { id: 3, job: await service.startJob() },
  ]);
  const lost = await service.startJob();
  await service.control('POST', 'faults', {
    preset: 'notFound',
    options: { code: 'job_not_found' },
    match: { path: `/v1/jobs/${lost}` },
    when: { from: 2, to: 99 },
  });
  failing = await park('Fails while it waits', node(waiting), [{ id: 0, job: lost }]);
  await service.jobsTakeSeconds(100_000);
  const job = await service.startJob();
  const endless = await park('Is stopped', node(waiting), [{ id: 0, job }]);
  const late = await service.startJob();
  const at = Date.now();
  await host.rest.request('POST', `/rest/executions/${endless.id}/stop`);
  const { stoppedAt } = await endless.workflow.until(endless.id, ['canceled']);
  stopped = { ...endless, job, at, tookMs: stoppedAt - at };

  jobsStarted = (await service.report()).created.jobs;
  await nothingRuns();
  await host.kill();
  await sleep(1000);
  await host.restart();

  // Start this workflow only now. If the timeout passes while n8n is not running, n8n can leave the
  // execution suspended forever.
  const timeout = { executionTimeout: TIMEOUT_S };
  timingOut = { ...(await park('Times out', node(waiting), [{ job: late }], timeout)), job: late };
  await service.jobsTakeSeconds(70);
  const { id } = await exampleNamed(host, 'Refresh Companies in a Loop');
  loop = host.rest.run(id, { triggerName: 'Start', timeoutMs: LONGEST_MS });
});

test('outputs the result of every row in order, from one job, after n8n is killed and restarted', async () => {
  const run = await result(messy, 'success');

  const [a, b, c] = domains;
  const items = run.items(0);
  expect(items.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(items.map(({ company }) => company)).toEqual(messy.rows.map(({ company }) => company));
  expect(items.map(({ refresh }) => refresh)).toMatchObject([
    { domain: a, status: 'succeeded' },
    { domain: null, status: 'invalid', reason: 'no_dot' },
    { domain: b, status: 'succeeded' },
    { domain: a, status: 'succeeded' },
    { domain: 'nobody-tracks-this.com', status: 'failed', error: 'not_tracked' },
    { domain: c, status: 'fresh' },
  ]);
  const jobs = items.flatMap(({ refresh }) => (refresh as { job_id?: string }).job_id ?? []);
  expect(new Set(jobs).size).toBe(1);
});

test('sends failed rows with their input fields to the error output after n8n is restarted', async () => {
  const run = await result(routed, 'success');

  expect(run.items(0)).toMatchObject([
    { job_id: routed.rows[0]?.job, finished: true },
    { job_id: routed.rows[3]?.job, finished: true },
  ]);
  expect(run.items(1)).toMatchObject([
    { id: 1, job: 'job_999999', error: { code: 'job_not_found' } },
    { id: 2, job: '', error: { code: 'invalid_input' } },
  ]);
});

test('stops the workflow with the error message when a poll fails during the wait', async () => {
  const run = await result(failing, 'error');

  expect(run.error?.message).toMatch(/refresh job doesn't exist/);
  expect(run.items(0)).toEqual([]);
});

test('ends a suspended wait immediately, without another poll, when the execution is stopped', async () => {
  // The next poll would be due much later.
  expect(stopped.tookMs).toBeLessThan(10_000);
  expect((await service.polls()).get(stopped.job)).toHaveLength(1);
  // The parent execution of the wait wakes up once more.
  await sleep(Math.max(0, stopped.at + 80_000 - Date.now()));
  expect((await service.polls()).get(stopped.job)).toHaveLength(1);
  const { results } = (await host.rest.request('GET', '/rest/executions?limit=50')) as {
    results: Array<{ id: string; workflowId: string; status: string }>;
  };
  const own = results.find(({ id }) => id === stopped.id);
  const states = results.filter(({ workflowId }) => workflowId === own?.workflowId);
  expect(states).toHaveLength(3);
  expect(states.every(({ status }) => OVER.includes(status))).toBe(true);
});

test('ends a suspended wait, without another poll, when the workflow reaches its timeout', async () => {
  const run = await result(timingOut, 'canceled');

  const seconds = (run.stoppedAt - run.startedAt) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(TIMEOUT_S);
  // n8n checks for such waits once a minute, and later on a busy machine.
  expect(seconds).toBeLessThan(TIMEOUT_S + 120);
  // The last poll can happen at the moment when the execution ends.
  const polls = (await service.polls()).get(timingOut.job) ?? [];
  expect(polls.filter((at) => at > run.stoppedAt + 1000)).toEqual([]);
  expect(polls.length).toBeLessThanOrEqual(2);
});

test('refreshes 250 domains with three jobs of different durations in one execution', async () => {
  const run = await result(inThreeJobs, 'success');

  const items = run.items(0);
  expect(items.map(({ company }) => company)).toEqual(domains);
  const results = items.map(({ refresh }) => refresh as Row);
  expect(results.map(({ domain }) => domain)).toEqual(domains);
  expect(results.every(({ job_status }) => job_status === 'completed')).toBe(true);
  const ended = new Map(results.map(({ job_id, completed_at }) => [job_id, completed_at]));
  expect(ended.size).toBe(3);
  expect(new Set(ended.values()).size).toBe(3);
});

test('runs the example that loops over Start Refresh, Wait and Get Job', async () => {
  const run = await loop;

  expect(run.status).toBe('success');
  const { outputs } = outcomeOf(run.data);
  expect(outputs('Refreshed Companies')).toMatchObject([
    { domain: 'ambermarket.com', status: 'succeeded' },
    { domain: 'ivoryoar.com', status: 'succeeded' },
    { domain: 'nobody-tracks-this.com', status: 'failed', error: 'not_tracked' },
  ]);
  // The loop repeated at least once.
  expect(outputs('Finished?', 1)).not.toEqual([]);
});

test('starts no job twice and polls each job at most once every 60 seconds', async () => {
  const { created, violations } = await service.report();

  // The example starts one more job.
  expect(created.jobs).toBe(jobsStarted + 1);
  expect(violations).toEqual([]);
  expect(await service.shortestPause()).toBeGreaterThanOrEqual(60_000);
});
