/** What a user who chose the wrong field, or none, gets to see. */
import type { IDataObject } from 'n8n-workflow';

import { runWorkflow, source, type NodeSpec } from './harness';
import { bulkEnrich, NAME } from './bulk-enrich/bulk-enrich';
import {
  credentialFor,
  packageNode,
  useSandbox,
  trackedDomains,
  userCredential,
} from './shared/service';

const sandbox = useSandbox();

it.each(['enrichCompanies', 'enrichPartnerships', 'normalizeDomains'])(
  '%s warns when not one row has a domain, and asks nothing',
  async (operation) => {
    const run = await runWorkflow({
      nodes: [source([{ website: 'acme.com' }]), bulkEnrich({ operation, domain: 'website' })],
      credentials: credentialFor('http://127.0.0.1:1'),
    });

    expect(run.error).toBeUndefined();
    expect(run.hints(NAME)).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: expect.stringContaining('No row has a usable domain'),
      }),
    );
  },
);

const OTHERS = [{ lead: 'ada' }, { lead: 'bo' }, { lead: 'cy' }];

const company = (identifier: string) => packageNode('companyLookup', { identifier });
const partners = (identifier: string) => packageNode('partnerGraph', { identifier });
const bulk = (domain: string) => bulkEnrich({ domain });

describe.each<[string, (company: string) => NodeSpec, string]>([
  ['Bulk Enrich', bulk, 'Domain'],
  ['Company Lookup', company, 'Company'],
  ['Partner Graph', partners, 'Company'],
])('%s', (name, nodeFor, label) => {
  const hintsOf = async (domain: string, items: readonly IDataObject[]) => {
    const run = await runWorkflow({
      nodes: [source(items), nodeFor(domain)],
      credentials: userCredential(sandbox),
    });
    expect(run.error).toBeUndefined();
    return run.hints(name).map(({ message }) => message);
  };
  const said = expect.stringContaining(
    `All 3 items are about the same company, because ${label} is fixed text`,
  );

  it('warns when rows that differ are all about one company, named by fixed text', async () => {
    const [tracked = ''] = trackedDomains(sandbox, 1);
    expect(await hintsOf(tracked, OTHERS)).toContainEqual(said);
  });

  it.each<[string, (tracked: string) => readonly [string, readonly IDataObject[]]]>([
    [
      'an expression',
      (tracked) => ['={{ $json.of }}', OTHERS.map((one) => ({ ...one, of: tracked }))],
    ],
    ['one row', (tracked) => [tracked, OTHERS.slice(0, 1)]],
    ['rows that do not differ', (tracked) => [tracked, [OTHERS[0] ?? {}, OTHERS[0] ?? {}]]],
  ])('says nothing of it for %s', async (_what, given) => {
    const [tracked = ''] = trackedDomains(sandbox, 1);
    const hints = await hintsOf(...given(tracked));
    expect(hints.filter((message) => message.includes('fixed text'))).toEqual([]);
  });
});
