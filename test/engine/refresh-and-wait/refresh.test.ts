/** Refresh and Wait: the output for each row, and which companies are recent enough to skip. */
import type { WorkflowRun } from '../harness';
import { codeOf } from '../shared/error-items';
import { technologiesOf } from '../shared/partners';
import { ON_ERROR, trackedDomains } from '../shared/service';
import {
  companyItems,
  NAME,
  refresh,
  resultsOf,
  startsAt,
  useFastSandbox,
} from './refresh-and-wait';

const sandbox = useFastSandbox();
const statusesOf = (run: WorkflowRun) => resultsOf(run).map(({ status }) => status);

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
  expect(run.json(NAME)).toMatchObject(
    [
      { domain: a, status: 'succeeded', error: null, ...job },
      { domain: null, status: 'invalid', reason: 'no_dot' },
      { domain: b, status: 'succeeded', error: null, ...job },
      { domain: a, status: 'succeeded', error: null, ...job },
      { domain: 'nobody-tracks-this.com', status: 'failed', error: 'not_tracked', ...job },
    ].map((result, id) => ({ id, refresh: result })),
  );
  expect(resultsOf(run)[0]).toMatchObject({
    data_freshness: expect.stringContaining('up to about an hour'),
    submitted_at: expect.any(String),
    completed_at: expect.any(String),
  });
  expect(run.traced()).toEqual([0, 1, 2, 3, 4]);
  expect(sandbox.report().byKey.user).toMatchObject({ domains: 3, charged: 0 });

  sandbox.reset();
  const options = { output: 'columns' };
  const none = await refresh(sandbox, [{ company: '10.0.0.1' }], { options });
  expect(none.json(NAME)).toMatchObject([
    { company: '10.0.0.1', refresh_status: 'invalid', refresh_reason: 'ip_address' },
  ]);
  expect(sandbox.report().requests).toBe(0);
  const [failed] = (await refresh(sandbox, rows.slice(-1), { options })).json(NAME);
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

describe('Only If Older Than Days', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const given = { onlyIfOlderThanDays: 30, lastSeenAt: '={{ $json.seen }}' };

  it('skips companies that were seen recently according to their data', async () => {
    const [a, b, c, d] = trackedDomains(sandbox, 4);
    const last_seen_at = daysAgo(2);
    const technologies = [{ last_seen_at: daysAgo(400) }, { last_seen_at }];
    const run = await refresh(
      sandbox,
      [
        { company: a, seen: daysAgo(29) },
        { company: b, seen: daysAgo(31) },
        { company: c, seen: { enrichment: { technologies } } },
        { company: d, seen: daysAgo(100) },
        // The newest time of a company counts for all its rows.
        { company: a, seen: daysAgo(100) },
        { company: 'n/a', seen: daysAgo(1) },
      ],
      { options: given },
    );

    const expected = ['fresh', 'succeeded', 'fresh', 'succeeded', 'fresh', 'invalid'];
    expect(statusesOf(run)).toEqual(expected);
    expect(resultsOf(run)[2]).toMatchObject({ domain: c, last_seen_at });
    expect(run.traced()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(sandbox.report().charged).toBe(0);
    expect(run.messages(NAME)).toEqual([
      expect.stringContaining('Skipped 3 of 6 rows (50%): their data is recent enough.'),
      'Result for 6 rows: 3 fresh, 2 succeeded, 1 invalid.',
    ]);
  });

  it('reads the age of companies from the service when the items lack it', async () => {
    const domains = trackedDomains(sandbox, 30);
    const rows = [...domains, 'nobody-tracks.com'].map((company) => ({ company }));
    // The dates in the service's generated data end on this day.
    const days = Math.round((Date.now() - Date.UTC(2025, 5, 1)) / DAY_MS) + 60;
    const options = { onlyIfOlderThanDays: days };
    const before = await refresh(sandbox, rows, { options });
    const { charged } = sandbox.report();
    const again = await refresh(sandbox, rows, { options });

    expect(charged).toBe(30);
    expect(new Set(statusesOf(before))).toEqual(new Set(['fresh', 'succeeded', 'failed']));
    expect(before.messages(NAME).join()).toContain('Cost: up to 30 credits.');
    expect(before.customData['company_intelligence_credits_at_most']).toBe('30');
    // Companies refreshed before are fresh now, and reading them again is free. The node cannot
    // determine the age of a company without technologies.
    expect(statusesOf(again)).toEqual([
      ...domains.map((domain) => (technologiesOf(sandbox, domain) === 0 ? 'succeeded' : 'fresh')),
      'failed',
    ]);
    expect(sandbox.report().charged).toBe(charged);
  });

  it.each(ON_ERROR)('fails only the rows whose age cannot be read: %s', async (onError) => {
    const options = { onlyIfOlderThanDays: 30, maxCredits: 3 };
    const run = await refresh(sandbox, companyItems(sandbox, 5), {
      options,
      settings: { onError },
    });

    expect(sandbox.report().charged).toBe(3);
    if (onError === 'stopWorkflow') {
      expect(run.error?.message).toContain('Max Credits (3)');
      expect(run.error?.description).toContain('Spent before this error: up to 3 credits');
      expect(startsAt(sandbox)).toBe(1);
    } else if (onError === 'continueRegularOutput') {
      expect(statusesOf(run).slice(3)).toEqual(['error', 'error']);
    } else {
      expect(run.json(NAME, 1).map(codeOf)).toEqual(['max_credits_reached', 'max_credits_reached']);
    }
  });

  it('fails only the row with an invalid time, or with Stop before anything is sent', async () => {
    const [a, b] = trackedDomains(sandbox, 2);
    const rows = [
      { company: a, seen: 'yesterday or so' },
      { company: b, seen: daysAgo(100) },
    ];
    const stopped = await refresh(sandbox, rows, { options: given });
    expect(stopped.error?.message).toContain('"Last Seen At" must be a time');
    expect(sandbox.report().requests).toBe(0);

    const settings = { onError: 'continueRegularOutput' } as const;
    const run = await refresh(sandbox, rows, { options: given, settings });
    expect(statusesOf(run)).toEqual(['error', 'succeeded']);
  });
});
