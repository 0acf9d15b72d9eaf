/** Refresh and Wait: the output for each row. */
import { trackedDomains } from '../shared/service';
import {
  companyItems,
  NAME,
  refresh,
  resultsOf,
  startsAt,
  useFastSandbox,
} from './refresh-and-wait';

const sandbox = useFastSandbox();

it('outputs one item per row, in order and linked, even for messy input', async () => {
  const [a = '', b = ''] = trackedDomains(sandbox, 2);
  const companies = [
    `https://www.${a.toUpperCase()}/about`,
    'nothing here',
    b,
    `info@${a}`,
    'nobody-tracks-this.com',
  ];
  const rows = companies.map((company) => ({ company }));
  const run = await refresh(sandbox, rows);

  const job = { job_id: 'job_000001', job_status: 'completed' };
  expect(run.json(NAME).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  expect(resultsOf(run)).toMatchObject([
    { domain: a, status: 'succeeded', ...job },
    { status: 'invalid', reason: 'no_dot' },
    { domain: b, status: 'succeeded', ...job },
    { domain: a, status: 'succeeded', ...job },
    { domain: 'nobody-tracks-this.com', status: 'failed', error: 'not_tracked', ...job },
  ]);
  expect(resultsOf(run)[0]).toMatchObject({
    data_freshness: expect.stringContaining('up to about an hour'),
    submitted_at: expect.any(String),
    completed_at: expect.any(String),
  });
  expect(run.traced()).toEqual([0, 1, 2, 3, 4]);
  expect(sandbox.report().byKey.user).toMatchObject({ domains: 3, charged: 0 });

  sandbox.reset();
  const none = await refresh(sandbox, [{ company: '10.0.0.1' }]);
  expect(none.json(NAME)).toMatchObject([
    { company: '10.0.0.1', refresh_status: 'invalid', refresh_reason: 'ip_address' },
  ]);
  expect(sandbox.report().requests).toBe(0);
  const [failed] = (await refresh(sandbox, rows.slice(-1))).json(NAME);
  expect(failed).toMatchObject({ refresh_error: 'not_tracked', refresh_job_status: 'failed' });
});

it('refreshes 250 domains in three jobs and outputs the job of each row', async () => {
  const domains = trackedDomains(sandbox, 250);
  sandbox.setChoices({ jobSeconds: { first: 10, last: 90 } });
  const results = resultsOf(await refresh(sandbox, companyItems(sandbox, 250)));

  expect(results.map(({ domain }) => domain)).toEqual(domains);
  expect(new Set(results.map(({ job_id }) => job_id)).size).toBe(3);
  // The local service cannot reach every 37th company.
  expect(results.map(({ status }) => status)).toEqual(
    domains.map((_domain, index) => ((index + 1) % 37 === 0 ? 'failed' : 'succeeded')),
  );
  expect(startsAt(sandbox)).toBe(3);
});
