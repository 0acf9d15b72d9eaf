/** Company Lookup, Compare: one of the two companies is unknown or unreadable. */
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../shared/nodes';
import { connectedPair, technologiesOf, type Pair } from '../shared/partners';
import { useSandbox, type NodeSettings } from '../shared/service';

const NAME = 'Company Lookup';
const UNKNOWN = 'nobody-tracks-this.com';

const sandbox = useSandbox();
let pair: Pair;
beforeAll(() => {
  pair = connectedPair(sandbox);
});

async function compare(items: readonly IDataObject[], settings: NodeSettings = {}, options = {}) {
  const parameters = {
    operation: 'compare',
    identifierA: '={{ $json.a }}',
    identifierB: '={{ $json.b }}',
    options,
  };
  return await runNode(sandbox, 'companyLookup', parameters, items, settings);
}

it('charges nothing when the first company is not tracked', async () => {
  const rows = [{ a: UNKNOWN, b: pair.b }];
  const failed = await compare(rows);
  const found = await compare(rows, {}, { ifNotFound: 'item' });

  expect(failed.error?.message).toContain("doesn't track this company");
  expect(found.json(NAME)).toMatchObject([
    { found: false, identifier_a: UNKNOWN, identifier_b: pair.b },
  ]);
  expect(sandbox.report().charged).toBe(0);
});

it('outputs the first company when the second is not tracked', async () => {
  const { a, b } = pair;
  const technologies = technologiesOf(sandbox, a);
  const rows = [
    { a, b: UNKNOWN },
    { a: b, b: a },
  ];
  const settings = { onError: 'continueErrorOutput' } as const;
  const run = await compare(rows, settings, { maxCredits: 2 });

  expect(run.json(NAME)).toMatchObject([
    {
      domain_a: a,
      company_name_a: sandbox.world.resolveDomain(a)?.name,
      technology_count_only_a: technologies,
      status_b: 'not_tracked',
    },
  ]);
  expect(run.json(NAME, 1).map((json) => json['message'])).toEqual([
    expect.stringContaining("this run's limit of 2 credits"),
  ]);
  expect(technologies).toBeGreaterThan(0);
  expect(sandbox.report().charged).toBe(1);

  const found = await compare(rows.slice(0, 1), {}, { ifNotFound: 'item' });
  expect(found.json(NAME)).toMatchObject([{ found: false, status_b: 'not_tracked' }]);
});

it('outputs the first company and an error when the second cannot be read', async () => {
  sandbox.addFault({ preset: 'forbidden', when: { nth: 2 } });
  const run = await compare([{ ...pair }], { onError: 'continueErrorOutput' });

  expect(run.json(NAME)).toMatchObject([{ domain_a: pair.a, status_b: 'error' }]);
  expect(run.json(NAME, 1)).toHaveLength(1);
});
