/** Start Refresh and Get Job: the parts of a loop of one's own. */
import { sentTo, trackedDomains } from '../shared/service';
import { NAME, refresh, useFastSandbox, startJob } from './refresh-and-wait';

const sandbox = useFastSandbox();

it('Start Refresh: one item for each job, paired with the rows whose domains are in it', async () => {
  const domains = trackedDomains(sandbox, 150);
  const run = await refresh(
    sandbox,
    [...domains, domains[0]].map((company) => ({ company })),
    { operation: 'startRefresh' },
  );

  expect(run.json(NAME)).toEqual([
    { job_id: 'job_000001', domain_count: 100, domains: domains.slice(0, 100) },
    { job_id: 'job_000002', domain_count: 50, domains: domains.slice(100) },
  ]);
  const items = run.output(NAME).map(({ pairedItem }) => (pairedItem as unknown[]).length);
  expect(items).toEqual([101, 50]);
  expect(sentTo(sandbox)).toHaveLength(2);
});

it('Get Job: the job as it is, and when to ask again', async () => {
  sandbox.setChoices({ jobSeconds: { first: 0, last: 1000 } });
  const job = await startJob(sandbox, trackedDomains(sandbox, 2));
  const run = await refresh(sandbox, [{ job }, { job }], { operation: 'getJob' });

  const seen = {
    job_id: job,
    status: 'running',
    completed_at: null,
    finished: false,
    retry_after_seconds: 1,
    summary: { succeeded: 1, failed: 0, processing: 1, total: 2 },
  };
  expect(run.json(NAME)).toEqual([expect.objectContaining(seen), expect.objectContaining(seen)]);
  expect(run.traced()).toEqual([0, 1]);
  // One to start it, and one question for both items.
  expect(sandbox.report().requests).toBe(2);

  sandbox.reset();
  sandbox.setChoices({ jobSeconds: { first: 0, last: 0 } });
  const over = await startJob(sandbox, trackedDomains(sandbox, 1));
  const later = await refresh(sandbox, [{ job: over }], { operation: 'getJob' });
  expect(later.json(NAME)).toEqual([
    expect.objectContaining({ finished: true, retry_after_seconds: null }),
  ]);
});

it('Get Job: If Not Found can be an item', async () => {
  const run = await refresh(sandbox, [{ job: 'job_999999' }], {
    operation: 'getJob',
    options: { ifNotFound: 'item' },
  });

  expect(run.json(NAME)).toEqual([
    expect.objectContaining({ found: false, job_id: 'job_999999', reason: 'job_not_found' }),
  ]);
});
