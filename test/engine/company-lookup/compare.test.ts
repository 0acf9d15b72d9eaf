/**
 * Company Lookup, Compare: technologies that both companies use and that only one uses, for up to 2
 * credits.
 */
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../shared/nodes';
import { sentTo, useSandbox, type NodeSettings } from '../shared/service';

const NAME = 'Company Lookup';
const UNKNOWN = 'nobody-tracks-this.com';

const sandbox = useSandbox();

async function compare(items: readonly IDataObject[], settings: NodeSettings = {}, options = {}) {
  const parameters = {
    operation: 'compare',
    identifierA: '={{ $json.a }}',
    identifierB: '={{ $json.b }}',
    options,
  };
  return await runNode(sandbox, 'companyLookup', parameters, items, settings);
}

/** Finds two companies that share technologies and also have technologies of their own. */
function alike() {
  const { start, technology } = sandbox.world.detections;
  const companies = sandbox.world.companies.filter(({ slug }) => slug !== null).slice(0, 40);
  const keysOf = ({ id }: (typeof companies)[number]) =>
    new Set(technology.slice(start[id - 1], start[id]));
  for (const a of companies) {
    for (const b of companies) {
      const [inA, inB] = [keysOf(a), keysOf(b)];
      const shared = [...inA].filter((key) => inB.has(key)).length;
      if (shared > 0 && shared < inA.size && shared < inB.size) {
        return { a, b, shared, ofA: inA.size, ofB: inB.size };
      }
    }
  }
  throw new Error('No two companies are alike.');
}

it('returns shared and exclusive technologies with one request per company', async () => {
  const { a, b, shared, ofA, ofB } = alike();
  const run = await compare([{ a: `https://www.${a.primaryDomain}/`, b: String(b.slug) }]);
  const [found = {}] = run.json(NAME);

  expect(found).toMatchObject({
    domain_a: a.primaryDomain,
    company_name_a: a.name,
    domain_b: b.primaryDomain,
    company_name_b: b.name,
    technology_count_both: shared,
    technology_count_only_a: ofA - shared,
    technology_count_only_b: ofB - shared,
    status_b: 'tracked',
  });
  const namesIn = (column: string) => (found[column] as string).split('; ');
  expect(namesIn('technology_names_both')).toHaveLength(shared);
  const all = ['both', 'only_a', 'only_b'].flatMap((where) => namesIn(`technology_names_${where}`));
  expect(new Set(all).size).toBe(ofA + ofB - shared);
  expect(sentTo(sandbox)).toMatchObject([
    { path: `/v1/companies/${a.primaryDomain}`, query: { include: 'technologies' } },
    { path: `/v1/companies/${String(b.slug)}`, query: { include: 'technologies' } },
  ]);
  expect(sandbox.report().charged).toBe(2);
});

it('charges nothing when the first company is not tracked', async () => {
  const { b } = alike();
  const rows = [{ a: UNKNOWN, b: b.primaryDomain }];
  const failed = await compare(rows);
  const told = await compare(rows, {}, { ifNotFound: 'item' });

  expect(failed.error?.message).toContain("doesn't track this company");
  expect(told.json(NAME)).toMatchObject([
    { found: false, identifier_a: UNKNOWN, identifier_b: b.primaryDomain },
  ]);
  expect(sandbox.report().charged).toBe(0);
});

it('outputs the first company when the second is not tracked', async () => {
  const { a, b, ofA } = alike();
  const rows = [
    { a: a.primaryDomain, b: UNKNOWN },
    { a: b.primaryDomain, b: a.primaryDomain },
  ];
  const settings = { onError: 'continueErrorOutput' } as const;
  const run = await compare(rows, settings, { maxCredits: 2 });

  expect(run.json(NAME)).toMatchObject([
    {
      domain_a: a.primaryDomain,
      company_name_a: a.name,
      technology_count_only_a: ofA,
      status_b: 'not_tracked',
    },
  ]);
  expect(run.json(NAME, 1).map((json) => json['message'])).toEqual([
    expect.stringContaining("this run's limit of 2 credits"),
  ]);
  expect(sandbox.report().charged).toBe(1);

  const told = await compare(rows.slice(0, 1), {}, { ifNotFound: 'item' });
  expect(told.json(NAME)).toMatchObject([{ found: false, status_b: 'not_tracked' }]);
});

it('outputs the first company and an error when the second cannot be read', async () => {
  const { a, b } = alike();
  sandbox.addFault({ preset: 'forbidden', when: { nth: 2 } });
  const rows = [{ a: a.primaryDomain, b: b.primaryDomain }];
  const run = await compare(rows, { onError: 'continueErrorOutput' });

  expect(run.json(NAME)).toMatchObject([{ domain_a: a.primaryDomain, status_b: 'error' }]);
  expect(run.json(NAME, 1)).toHaveLength(1);
});

it('sends nothing when the second company is empty', async () => {
  const { a } = alike();
  const rows = [{ a: a.primaryDomain, b: '' }];
  const run = await compare(rows, { onError: 'continueErrorOutput' });

  expect(run.json(NAME, 1)).toHaveLength(1);
  expect(sandbox.report().requests).toBe(0);
});
