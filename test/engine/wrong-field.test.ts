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

const OTHERS = [{ lead: 'ada' }, { lead: 'bo' }, { lead: 'cy' }];

describe.each([
  ['Bulk Enrich', 'bulkEnrich', 'domain', 'Domain'],
  ['Company Lookup', 'companyLookup', 'identifier', 'Company'],
  ['Partner Graph', 'partnerGraph', 'identifier', 'Company'],
])('%s', (name, type, parameter, label) => {
  const hintsOf = async (domain: string, items: readonly IDataObject[]) => {
    const run = await runNode(sandbox, type, { [parameter]: domain }, items);
    expect(run.error).toBeUndefined();
    return run.messages(name);
  };
  const said = expect.stringContaining(
    `All 3 items use the same company because ${label} is fixed text`,
  );

  it('warns when different rows use the same company from fixed text', async () => {
    const [tracked = ''] = trackedDomains(sandbox, 1);
    expect(await hintsOf(tracked, OTHERS)).toContainEqual(said);
  });

  it.each<[string, (tracked: string) => readonly [string, readonly IDataObject[]]]>([
    [
      'an expression',
      (tracked) => ['={{ $json.of }}', OTHERS.map((one) => ({ ...one, of: tracked }))],
    ],
    ['a single row', (tracked) => [tracked, OTHERS.slice(0, 1)]],
    ['identical rows', (tracked) => [tracked, [OTHERS[0] ?? {}, OTHERS[0] ?? {}]]],
  ])('does not warn about fixed text for %s', async (_what, given) => {
    const [tracked = ''] = trackedDomains(sandbox, 1);
    const hints = await hintsOf(...given(tracked));
    expect(hints.filter((message) => message.includes('fixed text'))).toEqual([]);
  });
});
