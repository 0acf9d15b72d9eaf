/** A hundred company names as people write them, each with the expected company. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import { enrich, enrichmentOf, NAME, userCredential, useSandbox } from './bulk-enrich';

const sandbox = useSandbox();
const file = readFileSync(join(__dirname, '../../../examples/data/company-names.csv'), 'utf8');
const rows: Array<Record<string, string>> = parse(file, { columns: true });

it('returns the expected company for each of 100 names, for up to 3 credits each', async () => {
  const execution = await enrich(
    sandbox,
    {
      include: ['firmographics'],
      options: { companyName: '={{ $json.company }}', companyCountry: '={{ $json.country }}' },
      domain: '={{ $json.website }}',
    },
    rows,
    { credentials: userCredential(sandbox) },
  );
  const answers = execution.json(NAME).map((json: IDataObject) => {
    const { status, domain = '' } = enrichmentOf(json);
    return { company: json['company'], right_status: status, right_domain: domain };
  });

  expect(answers).toEqual(
    rows.map(({ company, right_status, right_domain }) => ({
      company,
      right_status,
      right_domain,
    })),
  );
  // Each of the 94 distinct names needs one search, which costs 1 credit per returned company. One
  // with a hyphen is searched again without it.
  const { recent, requests } = sandbox.report();
  const searches = recent.filter(({ path }) => path.startsWith('/v1/companies?'));
  expect(searches).toHaveLength(94 + 1);
  expect(searches.filter(({ charged }) => charged > 3)).toEqual([]);
  // The other request looks up all companies found, which the searches have paid for.
  expect(requests).toBe(94 + 1 + 1);
  expect(recent.filter((one) => !searches.includes(one))).toMatchObject([{ charged: 0 }]);
});
