/** Output for a user who selected the wrong field, or none. */
import type { IDataObject } from 'n8n-workflow';

import { enrich, NAME } from './bulk-enrich/bulk-enrich';
import { runNode } from './shared/nodes';
import { useSandbox, trackedDomains } from './shared/service';

const sandbox = useSandbox();

const NO_FIELD = 'Domain is empty in every row: check the name of its field in the expression';

it.each([
  ['enrichCompanies', '={{ $json.websit }}', NO_FIELD],
  ['enrichPartnerships', '={{ $json.websit }}', NO_FIELD],
  ['normalizeDomains', '{{ $json.website }}', 'Domain is the text of an expression: turn on'],
])('%s says once what is wrong with the Domain %s', async (operation, domain, words) => {
  const items = [{ website: 'acme.com' }];
  const run = await enrich(sandbox, { operation, domain }, items, { credentials: {} });

  expect(run.error).toBeUndefined();
  expect(run.messages(NAME)).toEqual([expect.stringContaining(words)]);
});

const OLD = { enriched_domain: 'acme.com', enriched_status: 'tracked', enriched_industry: 'Media' };
const RENAMED = [
  { Website: 'acme.com', ...OLD },
  { Website: 'bolt.com', ...OLD },
];

it.each(['={{ $json.website }}', '={{ $json.website }}{{ $json["E-Mail"] }}'])(
  'fails before a request when all rows of an enriched sheet lack the column of %s',
  async (domain) => {
    const { error } = await enrich(sandbox, { domain }, RENAMED);
    const fields = 'Website, enriched_domain, enriched_status, enriched_industry, id';

    expect(error?.message).toBe(NO_FIELD);
    expect(error?.description).toBe(`The items have: ${fields}. Nothing was sent.`);
    const leads = [{ name: 'Ada' }, { name: 'Bo' }];
    const run = await enrich(sandbox, { domain }, leads);
    expect(run.messages(NAME)).toEqual([`${NO_FIELD}. The items have: name, id.`]);
    expect(run.json(NAME)).toMatchObject(leads.map(() => ({ enriched_status: 'invalid' })));
    expect(sandbox.report().requests).toBe(0);
  },
);

it('keeps the values of a row without the column, and empties those of an empty cell', async () => {
  const rows = [
    { ...OLD },
    { company: '', ...OLD },
    { company: trackedDomains(sandbox, 1)[0] ?? '' },
  ];
  const run = await enrich(sandbox, { include: ['firmographics'] }, rows);
  const [missing, empty] = run.json(NAME);

  expect(missing).toMatchObject({ ...OLD, enriched_status: 'invalid' });
  expect(missing).toMatchObject({ enriched_reason: 'missing_field' });
  expect(missing?.['enriched_message']).toContain('The item has no field "company"');
  expect(empty).toMatchObject({ enriched_reason: 'empty', enriched_industry: '' });
});

it.each([
  ['Bulk Enrich', 'bulkEnrich', 'domain', 'Domain'],
  ['Company Lookup', 'companyLookup', 'identifier', 'Company'],
  ['Partner Graph', 'partnerGraph', 'identifier', 'Company'],
])(
  '%s warns only when different rows use the same company from fixed text',
  async (name, type, parameter, label) => {
    const [tracked = ''] = trackedDomains(sandbox, 1);
    const rows = ['ada', 'bo', 'cy'].map((lead) => ({ lead, of: tracked }));
    const hintsOf = async (value: string, items: readonly IDataObject[]) => {
      const run = await runNode(sandbox, type, { [parameter]: value }, items);
      expect(run.error).toBeUndefined();
      return run.messages(name).filter((message) => message.includes('fixed text'));
    };
    const warning = `All 3 items use the same company because ${label} is fixed text`;

    expect(await hintsOf(tracked, rows)).toEqual([expect.stringContaining(warning)]);
    expect(await hintsOf('={{ $json.of }}', rows)).toEqual([]);
    expect(await hintsOf(tracked, rows.slice(0, 1))).toEqual([]);
    expect(await hintsOf(tracked, [rows[0]!, rows[0]!])).toEqual([]);
  },
);
