/** Credits in every billed read: Max Credits, Max Credits per Run, and a balance that runs out. */
import { RUN_CONCURRENT } from '../../../src/client/settings';
import { codeOf } from './error-items';
import { running } from './nodes';
import { BILLED_READS, runCase, type CaseChange } from './operations';
import { ON_ERROR, sentTo, trackedDomains, useFreshSandbox, userCredential } from './service';

const sandbox = useFreshSandbox();

const LIMITS: Readonly<Record<string, (most: number) => CaseChange & { readonly said: string }>> = {
  'Max Credits': (maxCredits) => ({
    options: { maxCredits },
    said: `Max Credits (${String(maxCredits)}) of this node`,
  }),
  'Max Credits per Run': (maxCreditsPerRun) => ({
    credentials: userCredential(sandbox, 'user', { maxCreditsPerRun }),
    said: `Max Credits per Run (${String(maxCreditsPerRun)}) of the credential`,
  }),
};

const FORMATS = ['items', 'picture'];

const skipped = (said: string) => ({
  status: 'skipped',
  reason: 'max_credits',
  message: `Not looked up: ${said} was reached`,
});

describe.each(BILLED_READS)('$title', (one) => {
  const { credits, atMost } = one;

  it.each(
    Object.entries(LIMITS).flatMap(([name, limit]) =>
      ON_ERROR.map((onError) => ({ name, limit, onError })),
    ),
  )('skips the items that $name does not cover with $onError', async ({ limit, onError }) => {
    const { said, ...change } = limit(atMost);
    const run = await runCase(sandbox, one, one.items(sandbox), { ...change, onError });

    expect(run.error).toBeUndefined();
    expect(sandbox.report()).toMatchObject({ requests: 1, charged: credits });
    const traced = run.traced(0);
    expect([...new Set(traced)]).toEqual([0, 1, 2]);
    expect(traced.filter((item) => item !== 0)).toEqual([1, 2]);
    expect(run.json(one.name).slice(-2)).toMatchObject([skipped(said), skipped(said)]);
    const warning = run
      .messages(one.name)
      .filter((message) => message.startsWith('Skipped 2 of 3'));
    expect(warning).toEqual([expect.stringContaining('filter on `status`')]);
  });

  // A list outputs the rows that are covered.
  if (atMost > 1 && !('limit' in one.parameters)) {
    it.each(FORMATS)(
      'skips a single item that Max Credits does not cover, as %s',
      async (output) => {
        const options = { maxCredits: atMost - 1 };
        const parameters = output === 'items' ? {} : { output };
        const [first] = one.items(sandbox);
        const run = await runCase(sandbox, one, [first!], { options, parameters });

        expect(sandbox.report().requests).toBe(0);
        expect(run.json(one.name)).toMatchObject([
          {
            status: 'skipped',
            message: expect.stringContaining(`up to ${String(atMost)} credits`),
          },
        ]);
      },
    );
  }

  it('states each figure once and advises only its own options when credits run out', async () => {
    const run = await runCase(sandbox, one, one.items(sandbox).slice(0, 1), {
      credentials: userCredential(sandbox, 'empty'),
    });
    const { message = '', description } = run.error ?? {};
    const said = `${message} ${String(description)}`;

    expect(said.match(/\d+/g)).toHaveLength(2);
    expect(said.match(/Retrying does not help/g)).toHaveLength(1);
    expect(said.includes('fewer rows with Limit')).toBe('limit' in one.parameters);
    expect(said.includes('network with Max Nodes')).toBe('maxNodes' in one.parameters);
    expect(said).not.toMatch(/Bulk Enrich|Spend Remaining/);
  });
});

const COUNT = 300;

/** Looks up 300 companies, each with its own request. By default, the key has 25 credits. */
async function lookUpMany(onError: 'continueErrorOutput' | 'stopWorkflow', fields = {}) {
  const items = trackedDomains(sandbox, COUNT).map((company) => ({ company }));
  const parameters = { identifier: '={{ $json.company }}' };
  return await running('companyLookup', 'Company Lookup')(sandbox, parameters, items, {
    onError,
    credentials: userCredential(sandbox, 'nearlyOut', fields),
  });
}

it('fails without a request when Max Credits per Run is not a number', async () => {
  const run = await lookUpMany('stopWorkflow', { maxCreditsPerRun: 'ten' });

  expect(run.error?.message).toContain('Max Credits per Run');
  expect(sandbox.report().requests).toBe(0);
});

it('skips the remaining items after a 402, and keeps the items already paid for', async () => {
  const run = await lookUpMany('continueErrorOutput');
  const failed = run.json('Company Lookup', 1);
  const skipped = failed.map(codeOf).filter((code) => code !== 'credit_exhausted');

  expect(run.json('Company Lookup', 0)).toHaveLength(25);
  expect(sandbox.report().charged).toBe(25);
  expect(sandbox.report().requests).toBeLessThanOrEqual(25 + RUN_CONCURRENT);
  expect(new Set(skipped)).toEqual(new Set(['not_attempted']));
  expect(skipped.length).toBeGreaterThanOrEqual(COUNT - 25 - RUN_CONCURRENT);
  expect(run.traced(0)).toHaveLength(25);
  expect([...run.traced(0), ...run.traced(1)].sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: COUNT }, (_unused, id) => id),
  );
  expect(failed.map((json) => json['id'])).toEqual(run.traced(1));
  expect(failed.at(-1)).toMatchObject({
    message: expect.stringMatching(/^Not sent because an earlier request failed/),
    error: {
      cause: 'credit_exhausted',
      hint: expect.stringContaining('Nothing was sent or charged'),
    },
  });

  sandbox.setKey('nearlyOut', { credits: 1000 });
  const again = await lookUpMany('continueErrorOutput');
  expect(again.json('Company Lookup', 0)).toHaveLength(COUNT);
});

it('names the first item that the service refused when On Error is Stop', async () => {
  const run = await lookUpMany('stopWorkflow');

  const refused = sentTo(sandbox).filter(({ status }) => status === 402);
  const companies = trackedDomains(sandbox, COUNT).map((company) => `/v1/companies/${company}`);
  expect(run.error).toMatchObject({ httpCode: '402' });
  expect(run.error?.context['itemIndex']).toBe(
    Math.min(...refused.map(({ path }) => companies.indexOf(path))),
  );
  expect(sandbox.report().requests).toBeLessThanOrEqual(25 + RUN_CONCURRENT);
  expect(run.customData).toMatchObject({
    company_intelligence_credits_at_most: '25',
    company_intelligence_requests: String(sandbox.report().requests),
    company_intelligence_rows: '0',
  });
  expect(run.error?.message).toBe(
    'Not enough credits: the rest of this run needs up to 275 credits, 275 more than you have',
  );
  expect(run.error?.description).toContain('Spent before this error: up to 25 credits');
});
