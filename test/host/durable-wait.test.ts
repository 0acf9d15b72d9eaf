import { setTimeout as sleep } from 'node:timers/promises';
import { useRealHost } from './harness';
import { OVER, REFRESHING } from './production-workflow';
import { Service } from './service';
import { park, untilQuiet, type Parked } from './suspended-executions';
import { executionsOf } from './workflows';

/**
 * Refresh and Wait with suspended executions on a real n8n that is killed and restarted while they
 * wait. All workflows wait at the same time, because n8n suspends an execution for at least 65 s.
 */

/** Slightly longer than n8n's minimum suspension. */
const TIMEOUT_S = 80;

const host = useRealHost();
const service = new Service(host);

const waiting = { operation: 'waitForJob', jobId: '={{ $json.job }}', options: {} };

let domains: string[];
let messy: Parked;
let routed: Parked;
let failing: Parked;
let stopped: Parked & { readonly job: string; readonly at: number; readonly tookMs: number };
let timingOut: Parked & { readonly job: string };
let jobsStarted: number;

beforeAll(async () => {
  domains = await service.domains(2);
  const [a = '', b = ''] = domains;

  await service.jobsTakeSeconds(40);
  messy = await park(host, 'Messy rows', REFRESHING, [
    { id: 0, company: `https://www.${a}/about` },
    { id: 1, company: 'junk' },
    { id: 2, company: b },
    { id: 3, company: `info@${a}` },
    { id: 4, company: 'nobody-tracks-this.com' },
  ]);
  const rows = [
    { id: 0, job: await service.startJob() },
    { id: 1, job: 'job_999999' },
    { id: 2, job: '' },
    { id: 3, job: await service.startJob() },
  ];
  routed = await park(host, 'Error output', waiting, rows, { onError: 'continueErrorOutput' });
  const lost = await service.startJob();
  await service.control('POST', 'faults', {
    preset: 'notFound',
    options: { code: 'job_not_found' },
    match: { path: `/v1/jobs/${lost}` },
    when: { from: 2, to: 99 },
  });
  failing = await park(host, 'Fails while it waits', waiting, [{ job: lost }]);
  await service.jobsTakeSeconds(100_000);
  const job = await service.startJob();
  const endless = await park(host, 'Is stopped', waiting, [{ job }]);
  const late = await service.startJob();
  const at = Date.now();
  await host.rest.request('POST', `/rest/executions/${endless.id}/stop`);
  const { stoppedAt } = await endless.until('canceled');
  stopped = { ...endless, job, at, tookMs: stoppedAt - at };

  jobsStarted = (await host.report()).created.jobs;
  await untilQuiet(host);
  await host.kill();
  await sleep(1000);
  await host.restart();

  // Start this workflow only now. If the timeout passes while n8n is not running, n8n can leave the
  // execution suspended forever.
  const timeout = { executionTimeout: TIMEOUT_S };
  timingOut = { ...(await park(host, 'Times out', waiting, [{ job: late }], timeout)), job: late };
});

test('outputs the result of every row in order, from one job, after n8n is killed and restarted', async () => {
  const items = (await messy.until('success')).items(0);

  const [a, b] = domains;
  expect(items.map(({ id, company }) => [id, company])).toEqual(
    messy.rows.map(({ id, company }) => [id, company]),
  );
  const done = { refresh_status: 'succeeded' };
  const unknown = 'nobody-tracks-this.com';
  expect(items).toMatchObject([
    { ...done, refresh_domain: a },
    { refresh_domain: '', refresh_status: 'invalid', refresh_reason: 'no_dot' },
    { ...done, refresh_domain: b },
    { ...done, refresh_domain: a },
    { refresh_domain: unknown, refresh_status: 'failed', refresh_error: 'not_tracked' },
  ]);
  const jobs = items.map(({ refresh_job_id }) => refresh_job_id).filter((id) => id !== '');
  expect(new Set(jobs).size).toBe(1);
});

test('sends failed rows with their input fields to the error output after n8n is restarted', async () => {
  const run = await routed.until('success');

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
  const run = await failing.until('error');

  expect(run.error?.message).toMatch(/refresh job doesn't exist/);
  expect(run.items(0)).toEqual([]);
});

test('ends a suspended wait immediately, without another poll, when the execution is stopped', async () => {
  // The next poll would be due much later.
  expect(stopped.tookMs).toBeLessThan(10_000);
  // The parent execution of the wait wakes up once more.
  await sleep(Math.max(0, stopped.at + 80_000 - Date.now()));
  expect((await service.polls()).get(stopped.job)).toHaveLength(1);
  const all = await executionsOf(host);
  const own = all.find(({ id }) => id === stopped.id);
  const states = all.filter(({ workflowId }) => workflowId === own?.workflowId);
  expect(states).toHaveLength(3);
  expect(states.every(({ status }) => OVER.includes(status))).toBe(true);
});

test('ends a suspended wait, without another poll, when the workflow reaches its timeout', async () => {
  const run = await timingOut.until('canceled');

  const seconds = (run.stoppedAt - run.startedAt) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(TIMEOUT_S);
  // n8n checks for such waits once a minute, and later on a busy machine.
  expect(seconds).toBeLessThan(TIMEOUT_S + 120);
  // The last poll can happen at the moment when the execution ends.
  const polls = (await service.polls()).get(timingOut.job) ?? [];
  expect(polls.filter((at) => at > run.stoppedAt + 1000)).toEqual([]);
  expect(polls.length).toBeLessThanOrEqual(2);
});

test('starts no job again after n8n is restarted, and polls no job too often', async () => {
  const { created, violations } = await host.report();
  expect(created.jobs).toBe(jobsStarted);
  expect(violations).toEqual([]);
  expect(await service.shortestPause()).toBeGreaterThanOrEqual(60_000);
});

test('polls again when n8n is killed during a poll', async () => {
  await service.jobsTakeSeconds(60);
  const rows = await Promise.all([1, 2].map(async (id) => ({ id, job: await service.startJob() })));
  const polls = async () => {
    const all = await service.polls();
    return rows.map(({ job }) => all.get(job)?.length ?? 0);
  };
  const killed = await park(host, 'Killed during a poll', waiting, rows);
  const { created } = await host.report();
  await service.control('POST', 'faults', {
    preset: 'neverAnswer',
    match: { path: '/v1/jobs/*' },
    when: { from: 1, to: 2 },
  });
  while ((await polls()).some((count) => count < 2)) await sleep(100);
  await host.kill();
  await host.restart();

  const run = await killed.until('success');
  expect(run.items(0)).toMatchObject(rows.map(({ job }) => ({ job_id: job, finished: true })));
  expect(await polls()).toEqual([3, 3]);
  expect((await host.report()).created).toEqual(created);
});
