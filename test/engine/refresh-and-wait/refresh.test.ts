/** Refresh and Wait: the output for each row, for every final state of its job. */
import { trackedDomains } from '../shared/service';
import {
  companyItems,
  NAME,
  refresh,
  resultsOf,
  useFastSandbox,
  startsAt,
} from './refresh-and-wait';

const sandbox = useFastSandbox();

it('outputs one item per row, in order and linked, even for messy input', async () => {
  const [a = '', b = ''] = trackedDomains(sandbox, 2);
  const run = await refresh(sandbox, [
    { company: `https://www.${a.toUpperCase()}/about` },
    { company: 'nothing here' },
    { company: b },
    { company: `info@${a}` },
    { company: 'nobody-tracks-this.com' },
  ]);

  const job = { job_id: 'job_000001', job_status: 'completed' };
  expect(run.json(NAME)).toMatchObject(
    [
      { domain: a, status: 'succeeded', error: null, ...job },
      { domain: null, status: 'invalid', reason: 'no_dot' },
      { domain: b, status: 'succeeded', error: null, ...job },
      { domain: a, status: 'succeeded', error: null, ...job },
      { domain: 'nobody-tracks-this.com', status: 'failed', error: 'not_tracked', ...job },
    ].map((result, id) => ({ id, refresh: result })),
  );
  expect(run.json(NAME)[0]?.refresh).toMatchObject({
    data_freshness: expect.stringContaining('up to about an hour'),
    submitted_at: expect.any(String),
    completed_at: expect.any(String),
  });
  expect(run.traced()).toEqual([0, 1, 2, 3, 4]);
  expect(sandbox.report().byKey.user).toMatchObject({ domains: 3, charged: 0 });
});

it('outputs columns of failed and invalid rows, without a request for the latter', async () => {
  const options = { output: 'columns' };
  const none = await refresh(sandbox, [{ company: '' }, { company: '10.0.0.1' }], { options });
  expect(none.json(NAME)).toMatchObject([
    { company: '', refresh_status: 'invalid', refresh_reason: 'empty' },
    { company: '10.0.0.1', refresh_status: 'invalid', refresh_reason: 'ip_address' },
  ]);
  expect(sandbox.report().requests).toBe(0);

  const run = await refresh(sandbox, [{ company: 'nobody.com' }], { options });
  expect(run.json(NAME)).toMatchObject([
    {
      company: 'nobody.com',
      refresh_status: 'failed',
      refresh_error: 'not_tracked',
      refresh_job_status: 'failed',
    },
  ]);
});

it('refreshes 250 domains in three jobs and outputs the job of each row', async () => {
  const domains = trackedDomains(sandbox, 250);
  sandbox.setChoices({ jobSeconds: { first: 10, last: 90 } });
  const run = await refresh(sandbox, companyItems(sandbox, 250));

  const results = resultsOf(run);
  expect(results.map(({ domain }) => domain)).toEqual(domains);
  expect(new Set(results.map(({ job_id }) => job_id)).size).toBe(3);
  // The local service cannot reach every 37th company.
  expect(results.map(({ status }) => status)).toEqual(
    domains.map((_domain, index) => ((index + 1) % 37 === 0 ? 'failed' : 'succeeded')),
  );
  expect(startsAt(sandbox)).toBe(3);
});
