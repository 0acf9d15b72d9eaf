/** Refresh and Wait, Wait for Job: how a wait continues and how it ends. */
import { setImmediate } from 'node:timers/promises';

import { source, startWorkflow } from '../harness';
import { json, TestService } from '../../src/client/support/service';
import { credentialFor, sentTo } from '../shared/service';
import {
  companyItems,
  NAME,
  refresh,
  refreshNode,
  resultsOf,
  useFastSandbox,
  startJob,
} from './refresh-and-wait';

const sandbox = useFastSandbox();

const rows = (count: number) => companyItems(sandbox, count);
const polls = () => sentTo(sandbox).filter(({ path }) => path.startsWith('/v1/jobs/'));

/**
 * Starts a service that knows every job. `status` returns the state of a job from the number of
 * times that the job was polled.
 */
async function startJobService(retryAfter: string, status: (asked: number) => string) {
  const asked = new Map<string, number>();
  let jobs = 0;
  return await TestService.start((request, response) => {
    if (request.method === 'POST') {
      jobs += 1;
      json({ job_id: `j${jobs}` }, 202)(request, response);
      return;
    }
    const times = (asked.get(request.url) ?? 0) + 1;
    asked.set(request.url, times);
    const job = { job_id: request.url.split('/').at(-1), status: status(times) };
    const headers: Record<string, string> =
      job.status === 'running' ? { 'retry-after': retryAfter } : {};
    json(job, 200, headers)(request, response);
  });
}

it('never polls before Retry-After, and polls each job once per round', async () => {
  const service = await startJobService('1', (asked) => (asked < 3 ? 'running' : 'completed'));
  const run = await refresh(sandbox, [{ job: 'j1' }, { job: 'j2' }, { job: 'j1' }], {
    operation: 'waitForJob',
    credentials: credentialFor(service.baseUrl),
  });

  expect(run.status).toBe('success');
  for (const job of ['/v1/jobs/j1', '/v1/jobs/j2']) {
    const moments = service.received.filter(({ url }) => url === job).map(({ at }) => at);
    expect(moments).toHaveLength(3);
    const gaps = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
    // A timer can fire a few milliseconds early by another clock.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(990);
  }
});

it('waits before the first poll for the Retry-After of the start response', async () => {
  const done = { job_id: 'j1', status: 'completed', completed_at: '2026-01-01T00:00:00Z' };
  const service = await TestService.start((request, response) => {
    const answer =
      request.method === 'POST' ? json({ job_id: 'j1' }, 202, { 'retry-after': '3' }) : json(done);
    answer(request, response);
  });
  await refresh(sandbox, [{ company: 'a.com' }], {
    credentials: credentialFor(service.baseUrl),
    settings: { onError: 'continueRegularOutput' },
  });

  const [started, asked] = service.received;
  expect([started?.method, asked?.url]).toEqual(['POST', '/v1/jobs/j1']);
  expect((asked?.at ?? 0) - (started?.at ?? 0)).toBeGreaterThanOrEqual(2990);
});

it('continues after a failed poll, and polls no finished job again while others run', async () => {
  const done = await startJob(sandbox, ['a.com']);
  sandbox.setChoices({ jobSeconds: { first: 90, last: 90 } });
  const slow = await startJob(sandbox, ['b.com']);
  // The second poll fails in all its attempts.
  const match = { path: `/v1/jobs/${slow}` };
  sandbox.addFault({ preset: 'html200', match, when: { from: 2, to: 5 } });
  const run = await refresh(sandbox, [{ job: done }, { job: slow }, { job: done }], {
    operation: 'waitForJob',
  });

  expect(run.json(NAME)).toMatchObject([
    { job_id: done, finished: true, status: 'failed' },
    { job_id: slow, finished: true },
    { job_id: done, finished: true },
  ]);
  expect(run.traced()).toEqual([0, 1, 2]);
  expect(polls().filter(({ path }) => path.endsWith(done))).toHaveLength(1);
});

it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
  'names the running job when the key is rejected during the wait, On Error: %s',
  async (onError) => {
    sandbox.addFault({ preset: 'unauthorized', match: { path: '/v1/jobs/*' }, when: 'every' });
    const run = await refresh(sandbox, rows(2), { settings: { onError } });

    const facts = { job_id: 'job_000001', status: 401 };
    const hint = expect.stringContaining('Wait for Job') as string;
    if (onError === 'stopWorkflow') {
      expect(run.error).toMatchObject({ description: hint, context: { data: facts } });
      return;
    }
    const failed = { error: 'invalid_api_key', details: { ...facts, hint } };
    expect(resultsOf(run)).toMatchObject([failed, failed]);
  },
);

it('outputs the job ID and finished rows when If Still Running is Return an Item', async () => {
  sandbox.setChoices({ jobSeconds: { first: 0, last: 1_000_000 } });
  const run = await refresh(sandbox, rows(2), { options: { maxWaitMinutes: 0.03 } });

  expect(resultsOf(run)).toMatchObject([
    { job_id: 'job_000001', status: 'succeeded', job_status: 'running' },
    { job_id: 'job_000001', status: 'still_running', error: null },
  ]);
});

it.each(['refreshAndWait', 'waitForJob'])('ends %s when it is stopped', async (operation) => {
  const service = await startJobService('60', () => 'running');
  const polls = () => service.received.filter(({ method }) => method === 'GET').length;
  const running = await startWorkflow({
    nodes: [source([{ company: 'a.com', job: 'j1' }]), refreshNode({ operation })],
    credentials: credentialFor(service.baseUrl),
  });
  await running.started(NAME);
  while (polls() === 0) await setImmediate();
  const stopped = Date.now();
  running.cancel();
  const run = await running.finished;

  // The next poll is due only after 60 s.
  expect(Date.now() - stopped).toBeLessThan(20_000);
  expect(run.status).toBe('canceled');
  expect(polls()).toBe(1);
});

it.each(['refreshAndWait', 'waitForJob'])(
  'tolerates a job not found right after its start only if the node started it: %s',
  async (operation) => {
    let asked = 0;
    const service = await TestService.start((request, response) => {
      if (request.method !== 'POST') asked += 1;
      const missing = { error: 'job_not_found', message: 'There is no such job' };
      const domains = [{ domain: 'acme.com', status: 'succeeded', error: null }];
      const done = { job_id: 'j1', status: 'completed', domains };
      const answer = asked === 1 ? json(missing, 404) : json(done);
      (request.method === 'POST' ? json({ job_id: 'j1' }, 202) : answer)(request, response);
    });
    const lead = { company: 'acme.com', job: 'j1' };
    const run = await refresh(sandbox, [lead, { company: '', job: 'j1' }], {
      operation,
      settings: { onError: 'continueRegularOutput' },
      credentials: credentialFor(service.baseUrl),
    });

    // If the node did not start the job itself, the job may not exist at all, so the node fails.
    const isOwn = operation === 'refreshAndWait';
    const missing = { error: { code: 'job_not_found' } };
    expect(run.json(NAME)).toMatchObject(
      isOwn
        ? [{ refresh: { status: 'succeeded' } }, { refresh: { status: 'invalid' } }]
        : [missing, missing],
    );
  },
);

it.each<[what: string, maxWaitMinutes: number, retryAfter: string, polls: number, said: string]>([
  ['polls once more at the end of Max Wait', 1, '60', 2, 'is still running after 1 minute'],
  ['names Retry-After if no poll fits', 0.2, '60', 1, 'allows the next check only after Max Wait'],
])('%s', async (_what, maxWaitMinutes, retryAfter, asked, said) => {
  const service = await startJobService(retryAfter, () => 'running');
  const run = await refresh(sandbox, [{ job: 'j1' }], {
    operation: 'waitForJob',
    credentials: credentialFor(service.baseUrl),
    options: { maxWaitMinutes, ifStillRunning: 'error' },
  });

  expect(run.error?.message).toContain(said);
  const moments = service.received.map(({ at }) => at);
  expect(moments).toHaveLength(asked);
  if (asked > 1) expect(moments[1]! - moments[0]!).toBeGreaterThanOrEqual(59_990);
});
