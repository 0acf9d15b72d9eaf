/**
 * Start Refresh and Get Job, for loops that users build themselves. The node starts each job only
 * once, even if a response is lost.
 */
import type { IDataObject } from 'n8n-workflow';

import { resultIn } from '../shared/nodes';
import { ON_ERROR, sentTo, trackedDomains } from '../shared/service';
import {
  companyItems,
  NAME,
  refresh,
  useFastSandbox,
  startJob,
  startsAt,
} from './refresh-and-wait';

const sandbox = useFastSandbox();

const RETRY = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 } as const;
const START = '/v1/companies/refresh';

it('Start Refresh outputs one item per job and per invalid row', async () => {
  const domains = trackedDomains(sandbox, 150);
  const run = await refresh(
    sandbox,
    [...domains, domains[0], 'junk'].map((company) => ({ company })),
    { operation: 'startRefresh' },
  );

  expect(run.json(NAME)).toEqual([
    { job_id: 'job_000001', domain_count: 100, domains: domains.slice(0, 100) },
    { job_id: 'job_000002', domain_count: 50, domains: domains.slice(100) },
    { domain: null, status: 'invalid', reason: 'no_dot', message: expect.any(String) },
  ]);
  const items = run.output(NAME).map(({ pairedItem }) => [pairedItem].flat().length);
  expect(items).toEqual([101, 50, 1]);
  expect(sentTo(sandbox)).toHaveLength(2);
});

it('Get Job outputs the current state of the job and when to check again', async () => {
  sandbox.setChoices({ jobSeconds: { first: 0, last: 1000 } });
  const job = await startJob(sandbox, trackedDomains(sandbox, 2));
  const run = await refresh(sandbox, [{ job }, { job }], { operation: 'getJob' });

  const seen: unknown = expect.objectContaining({
    job_id: job,
    status: 'running',
    completed_at: null,
    finished: false,
    retry_after_seconds: 1,
    summary: { succeeded: 1, failed: 0, processing: 1, total: 2 },
  });
  expect(run.json(NAME)).toEqual([seen, seen]);
  expect(run.traced()).toEqual([0, 1]);
  // One request starts the job, and one request reads its state for both items.
  expect(sandbox.report().requests).toBe(2);

  sandbox.setChoices({ jobSeconds: { first: 0, last: 0 } });
  const over = await startJob(sandbox, trackedDomains(sandbox, 1));
  const later = await refresh(sandbox, [{ job: over }], { operation: 'getJob' });
  expect(later.json(NAME)).toMatchObject([{ finished: true, retry_after_seconds: null }]);
});

it.each(ON_ERROR)(
  'starts no job twice and loses none with Retry On Fail when a batch has an unknown outcome: %s',
  async (onError) => {
    sandbox.addFault({ preset: 'resetAfter', match: { path: START }, when: 'first' });
    // All three requests are in flight when the first one fails.
    sandbox.setLatency(500);
    const settings = { ...RETRY, onError };
    const run = await refresh(sandbox, companyItems(sandbox, 250), { settings });

    expect(startsAt(sandbox)).toBe(sandbox.report().created.jobs);
    expect(startsAt(sandbox)).toBeLessThanOrEqual(3);
    if (onError === 'stopWorkflow') {
      expect(run.error?.message).toMatch(/^The outcome of this request is unknown/);
      expect(run.error?.description).toMatch(/Jobs already started: job_\d+.* Wait for Job/);
      return;
    }
    const output = onError === 'continueErrorOutput' ? 1 : 0;
    const isFailed = ({ error, refresh_status }: IDataObject) =>
      Boolean(error) || refresh_status === 'error';
    const failed = run.json(NAME, output).filter(isFailed);
    expect([50, 100]).toContain(failed.length);
    const done = run.json(NAME).filter((json) => !isFailed(json));
    const result: unknown = expect.objectContaining({
      job_id: expect.stringMatching(/^job_\d+$/),
      status: expect.stringMatching(/^(succeeded|failed)$/),
    });
    expect(done.map((item) => resultIn(item, 'refresh_'))).toEqual(
      Array(250 - failed.length).fill(result),
    );
  },
);

it('waits for the same job again when Retry On Fail repeats a failed wait', async () => {
  const options = { code: 'job_not_found' };
  const match = { path: '/v1/jobs/*' };
  sandbox.addFault({ preset: 'notFound', options, match, when: 'first' });
  const run = await refresh(sandbox, companyItems(sandbox, 2), { settings: RETRY });

  expect(run.json(NAME)[0]).toMatchObject({ refresh_job_id: 'job_000001' });
  expect(startsAt(sandbox)).toBe(1);
});
