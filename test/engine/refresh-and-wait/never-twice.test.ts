/** Refresh and Wait: a job is started once, whatever n8n repeats and whatever answer is lost. */
import { ON_ERROR, trackedDomains } from '../shared/service';
import { NAME, refresh, useFastSandbox, startsAt } from './refresh-and-wait';

const sandbox = useFastSandbox();

const RETRY = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 } as const;
const START = '/v1/companies/refresh';
const rows = (count: number) => trackedDomains(sandbox, count).map((company) => ({ company }));

describe.each(['refreshAndWait', 'startRefresh'])('%s', (operation) => {
  it('a batch that is too large for the key is halved, each domain in one job', async () => {
    sandbox.addFault({ preset: 'batchTooLarge', match: { path: START }, when: 'first' });
    const run = await refresh(sandbox, rows(90), { operation, settings: RETRY });

    expect(run.status).toBe('success');
    expect(sandbox.report().created.jobs).toBe(2);
    // What was refused counts as sent, too.
    expect(sandbox.report().byKey.user).toMatchObject({ domains: 180 });
  });
});

describe.each(ON_ERROR)('with Retry On Fail, On Error: %s', (onError) => {
  it('one batch of three has an unknown outcome: nothing is started again, no job is lost', async () => {
    sandbox.addFault({ preset: 'resetAfter', match: { path: START }, when: 'first' });
    // All three are under way when the first one fails.
    sandbox.setLatency(500);
    const run = await refresh(sandbox, rows(250), { settings: { ...RETRY, onError } });

    expect(startsAt(sandbox)).toBe(sandbox.report().created.jobs);
    expect(startsAt(sandbox)).toBeLessThanOrEqual(3);
    if (onError === 'stopWorkflow') {
      expect(run.error?.message).toMatch(/^The service may or may not have done this/);
      expect(run.error?.description).toMatch(/Started already: job_\d+.* Wait for Job/);
      return;
    }
    const output = onError === 'continueErrorOutput' ? 1 : 0;
    const failed = run.json(NAME, output).filter(({ error }) => Boolean(error));
    expect([50, 100]).toContain(failed.length);
    const done = run.json(NAME).filter(({ error }) => !error);
    expect(done).toHaveLength(250 - failed.length);
    expect(done.every((item) => typeof item.refresh === 'object')).toBe(true);
  });
});

it('a wait that fails is tried again with the same job', async () => {
  sandbox.addFault({
    preset: 'notFound',
    options: { code: 'job_not_found' },
    match: { path: '/v1/jobs/*' },
    when: 'first',
  });
  const run = await refresh(sandbox, rows(2), { settings: RETRY });

  expect(run.json(NAME)[0]?.refresh).toMatchObject({ job_id: 'job_000001' });
  expect(startsAt(sandbox)).toBe(1);
});
