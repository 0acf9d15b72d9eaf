import { callTool, given, noteIn } from '../agents/tool';
import { running } from '../shared/nodes';
import { hubs } from '../shared/partners';
import { useFreshSandbox } from '../shared/service';

/** Company Lookup, Research: one item with a company, its technologies and its partners. */

const NAME = 'Company Lookup';
const research = running('companyLookup', NAME, { operation: 'research' });
const sandbox = useFreshSandbox();

test('returns technologies and partners with dates, and compares two companies', async () => {
  const [a = '', b = ''] = hubs(sandbox);
  const run = await research(sandbox, { identifier: a, compareWith: b, partners: 3 });
  const [json = {}] = run.json(NAME);

  expect(json).toMatchObject({
    domain: a,
    company_name: expect.any(String),
    partners_in_all: expect.any(Number),
    compared: { domain_a: a, domain_b: b, technology_count_both: expect.any(Number) },
  });
  const technologies = json['technologies'] as string[];
  expect(technologies.length).toBeGreaterThan(0);
  for (const one of technologies) expect(one).toMatch(/, last seen \d{4}-\d\d-\d\d$/);
  const days = technologies.map((one) => one.slice(-10));
  expect(days).toEqual([...days].sort().reverse());
  expect(json['partners']).toHaveLength(3);
  for (const one of json['partners'] as string[]) {
    expect(one).toMatch(/^.+ \(.+\..+\), (technology|channel|generic), last observed \d{4}-/);
  }
  expect(json).not.toHaveProperty('left_out');
  expect(sandbox.report().byKey['user']?.charged).toBe(5);
});

test.each([1, 2, 4])(
  'spends up to %d credits on the most useful sections, and lists what it omits',
  async (maxCredits) => {
    const [a = '', b = ''] = hubs(sandbox);
    const parameters = { identifier: a, compareWith: b, partners: 10, options: { maxCredits } };
    const [json = {}] = (await research(sandbox, parameters)).json(NAME);
    const left = json['left_out'] as string[];

    expect(json['technologies']).not.toHaveLength(0);
    expect('compared' in json).toBe(maxCredits > 1);
    expect((json['partners'] as string[] | undefined)?.length ?? 0).toBe(
      Math.max(0, maxCredits - 2),
    );
    expect(left.at(-1)).toBe(`partners: Max Credits covers ${String(Math.max(0, maxCredits - 2))}`);
    expect(left.some((one) => one.startsWith(b))).toBe(maxCredits === 1);
    expect(sandbox.report().byKey['user']?.charged).toBe(maxCredits);
  },
);

test('returns the company when the company to compare is not tracked', async () => {
  const [a = ''] = hubs(sandbox);
  const parameters = { identifier: a, compareWith: 'nobody-tracks-this.com', partners: 0 };
  const [json = {}] = (await research(sandbox, parameters)).json(NAME);

  expect(json).toMatchObject({
    domain: a,
    left_out: [expect.stringMatching(/^nobody-tracks-this/)],
  });
});

test('returns up to 20,000 characters when an agent calls it', async () => {
  const parameters = {
    operation: 'research',
    identifier: given('company'),
    compareWith: given('other'),
    partners: 50,
  };
  const [company = '', other = ''] = hubs(sandbox);
  const answer = await callTool(sandbox, 'companyLookup', parameters, { company, other });

  expect(answer[0]).toMatchObject({ domain: company, compared: expect.any(Object) });
  expect(noteIn(answer)).toMatch(/Cost: up to \d+ credits/);
  expect(JSON.stringify(answer).length).toBeLessThanOrEqual(20_000);
});
