/** Output for a user who selected the wrong field, or none. */
import type { IDataObject } from 'n8n-workflow';

import { enrich, NAME } from './bulk-enrich/bulk-enrich';
import { runNode } from './shared/nodes';
import { useSandbox, trackedDomains } from './shared/service';

const sandbox = useSandbox();

it.each(['enrichCompanies', 'enrichPartnerships', 'normalizeDomains'])(
  '%s warns, without a request or a credential, when no row has a domain',
  async (operation) => {
    const items = [{ website: 'acme.com' }];
    const run = await enrich(sandbox, { operation, domain: 'website' }, items, { credentials: {} });

    expect(run.error).toBeUndefined();
    expect(run.hints(NAME)).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: expect.stringContaining('No row has a usable domain'),
      }),
    );
  },
);

it.each([
  ['={{ $json.websit }}', 'Domain is empty in every row: check the name of its field in the'],
  ['{{ $json.website }}', 'Domain is the text of an expression: turn on Expression'],
])('Bulk Enrich says once what is wrong with the Domain %s', async (domain, words) => {
  const run = await enrich(sandbox, { domain }, [{ website: 'acme.com' }], { credentials: {} });

  expect(run.messages(NAME)).toEqual([expect.stringContaining(words)]);
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
