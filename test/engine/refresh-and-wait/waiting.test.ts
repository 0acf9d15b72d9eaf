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
  startJob,
  useFastSandbox,
} from './refresh-and-wait';

const sandbox = useFastSandbox();

/**
 * Starts a service with one job, which the service asks to poll no earlier than `retryAfter`
 * seconds after its start and each poll.
 *
 * @param poll returns the response to a poll from its number
 */
async function startJobService(retryAfter: number, poll: (nth: number) => Record<string, unknown>) {
  const wait = { 'retry-after': String(retryAfter) };
  let polls = 0;
  const service = await TestService.start((request, response) => {
    if (request.method === 'POST') {
      json({ job_id: 'j1' }, 202, wait)(request, response);
      return;
    }
    polls += 1;
    const job = { job_id: 'j1', ...poll(polls) };
    json(job, 'error' in job ? 404 : 200, wait)(request, response);
  });
  return { service, credentials: credentialFor(service.baseUrl), polls: () => polls };
}

const RUNNING = { status: 'running' };
const DONE = { status: 'completed', domains: [{ domain: 'a.com', status: 'succeeded' }] };
const ITEM = { company: 'a.com', job: 'j1' };

it('never polls before Retry-After, neither that of the start nor that of a poll', async () => {
  const { service, credentials } = await startJobService(3, (nth) => (nth < 3 ? RUNNING : DONE));
  const run = await refresh(sandbox, [ITEM], { credentials });

  expect(resultsOf(run)).toMatchObject([{ domain: 'a.com', status: 'succeeded' }]);
  expect(service.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
  const moments = service.received.map(({ at }) => at);
  const gaps = moments.slice(1).map((moment, index) => moment - moments[index]!);
  // A timer can fire a few milliseconds early by another clock.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2990);
});

it('continues after a failed poll, and polls no finished job again while others run', async () => {
  const done = await startJob(sandbox, ['a.com']);
  sandbox.setChoices({ jobSeconds: { first: 600, last: 600 } });
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
  expect(sentTo(sandbox).filter(({ path }) => path === `/v1/jobs/${done}`)).toHaveLength(1);
});

it('names the running job when the key is rejected during the wait', async () => {
  sandbox.addFault({ preset: 'unauthorized', match: { path: '/v1/jobs/*' }, when: 'every' });
  const rows = companyItems(sandbox, 2);
  const stopped = await refresh(sandbox, rows);
  const settings = { onError: 'continueRegularOutput' } as const;
  const options = { output: 'result' };
  const continued = await refresh(sandbox, rows, { settings, options });

  const hint = expect.stringContaining('Wait for Job') as string;
  const data = { job_id: 'job_000001', status: 401 };
  expect(stopped.error).toMatchObject({ description: hint, context: { data } });
  const failed = { error: { code: 'invalid_api_key', job_id: 'job_000002', status: 401, hint } };
  expect(continued.json(NAME)).toMatchObject([failed, failed]);
  const inColumns = await refresh(sandbox, rows, {
    settings: { onError: 'continueRegularOutput' },
  });
  const named = { refresh_status: 'error', refresh_job_id: 'job_000003' };
  expect(inColumns.json(NAME)).toMatchObject(rows.map((row) => ({ ...row, ...named })));
});

it('outputs the job ID and finished rows when a job has not ended after Max Wait', async () => {
  sandbox.setChoices({ jobSeconds: { first: 0, last: 1_000_000 } });
  const options = { maxWaitMinutes: 0.03 };
  const run = await refresh(sandbox, companyItems(sandbox, 2), { options });

  expect(resultsOf(run)).toMatchObject([
    { job_id: 'job_000001', status: 'succeeded', job_status: 'running' },
    { job_id: 'job_000001', status: 'still_running' },
  ]);
  const jobs = await refresh(sandbox, [{ job: 'job_000001' }], {
    operation: 'waitForJob',
    options,
  });
  expect(jobs.json(NAME)).toMatchObject([{ status: 'still_running', finished: false }]);
});

it('ends when it is stopped between two polls', async () => {
  const { credentials, polls } = await startJobService(60, () => RUNNING);
  const nodes = [source([ITEM]), refreshNode({ operation: 'waitForJob' })];
  const running = await startWorkflow({ nodes, credentials });
  while (polls() === 0) await setImmediate();
  const stopped = Date.now();
  running.cancel();
  const run = await running.finished;

  // The next poll is due only after 60 s.
  expect(Date.now() - stopped).toBeLessThan(20_000);
  expect(run.status).toBe('canceled');
  expect(polls()).toBe(1);
});

it('tolerates a job not found right after its start only if the node started it', async () => {
  const run = async (operation: string) => {
    const missing = { error: 'job_not_found', message: 'There is no such job' };
    const { credentials } = await startJobService(1, (nth) => (nth === 1 ? missing : DONE));
    const settings = { onError: 'continueRegularOutput' } as const;
    const rows = [ITEM, { company: '', job: 'j1' }];
    return (await refresh(sandbox, rows, { operation, settings, credentials })).json(NAME);
  };
  const own = [{ refresh_status: 'succeeded' }, { refresh_status: 'invalid' }];
  // A job that another run started may not exist at all.
  const missing = { error: { code: 'job_not_found' } };

  expect(await run('refreshAndWait')).toMatchObject(own);
  expect(await run('waitForJob')).toMatchObject([missing, missing]);
});
