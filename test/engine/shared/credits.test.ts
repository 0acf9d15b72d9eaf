/** Every billed read respects Max Credits and sends no further requests after a 402. */
import { RUN_CONCURRENT } from '../../../src/client/settings';
import { running } from './nodes';
import { BILLED_READS, runCase } from './operations';
import { sentTo, useSandbox, trackedDomains, userCredential } from './service';
import { codeOf } from './error-items';

const sandbox = useSandbox();

const settings = { onError: 'continueErrorOutput' } as const;

/** Billed reads of which one response can cost several credits. A list outputs the rows that are covered. */
const COSTLY = BILLED_READS.map((one) => ({ ...one, atMost: one.atMost ?? one.credits })).filter(
  ({ atMost, parameters }) => atMost > 1 && !('limit' in parameters),
);

describe.each(BILLED_READS)('$title', (one) => {
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

it.each(COSTLY)('$title sends nothing when it may cost more than Max Credits', async (one) => {
  const run = await runCase(sandbox, one, one.items(sandbox), {
    options: { maxCredits: one.atMost - 1 },
    ...settings,
  });

  expect(sandbox.report().requests).toBe(0);
  expect(run.json(one.name, 1)).toHaveLength(3);
});

/** Looks up 300 companies, each with its own request, with a key that has 25 credits. */
async function lookUpBeyondTheBalance(onError: 'continueErrorOutput' | 'stopWorkflow') {
  const items = trackedDomains(sandbox, 300).map((company) => ({ company }));
  const parameters = { identifier: '={{ $json.company }}' };
  return await running('companyLookup', 'Company Lookup')(sandbox, parameters, items, {
    onError,
    credentials: userCredential(sandbox, 'nearlyOut'),
  });
}

it('skips the remaining items after a 402, and keeps the items already paid for', async () => {
  const run = await lookUpBeyondTheBalance('continueErrorOutput');
  const failed = run.json('Company Lookup', 1);
  const codes = failed.map(codeOf);

  expect(run.json('Company Lookup', 0)).toHaveLength(25);
  expect(sandbox.report().charged).toBe(25);
  expect(sandbox.report().requests).toBeLessThanOrEqual(25 + RUN_CONCURRENT);
  expect(new Set(codes)).toEqual(new Set(['credit_exhausted', 'not_attempted']));
  expect(codes.filter((code) => code === 'not_attempted').length).toBeGreaterThanOrEqual(
    300 - 25 - RUN_CONCURRENT,
  );
  expect(run.traced(0)).toHaveLength(25);
  expect([...run.traced(0), ...run.traced(1)].sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 300 }, (_unused, id) => id),
  );
  expect(failed.map((json) => json['id'])).toEqual(run.traced(1));
  expect(failed.at(-1)).toMatchObject({
    message: expect.stringMatching(/^Skipped because an earlier request failed/),
    error: {
      cause: 'credit_exhausted',
      hint: expect.stringContaining('Nothing was sent or charged'),
    },
  });
});

it('names the first item that the service refused when On Error is Stop', async () => {
  const run = await lookUpBeyondTheBalance('stopWorkflow');

  const refused = sentTo(sandbox).filter(({ status }) => status === 402);
  const companies = trackedDomains(sandbox, 300).map((company) => `/v1/companies/${company}`);
  expect(run.error).toMatchObject({ httpCode: '402' });
  expect(run.error?.context['itemIndex']).toBe(
    Math.min(...refused.map(({ path }) => companies.indexOf(path))),
  );
  expect(sandbox.report().requests).toBeLessThanOrEqual(25 + RUN_CONCURRENT);
});

it('attempts all items again in the next run after a 402', async () => {
  await lookUpBeyondTheBalance('continueErrorOutput');
  sandbox.setKey('nearlyOut', { credits: 1000 });
  const run = await lookUpBeyondTheBalance('continueErrorOutput');

  expect(run.json('Company Lookup', 0)).toHaveLength(300);
});
