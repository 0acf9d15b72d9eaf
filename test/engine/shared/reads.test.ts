/**
 * Every read outputs the result of each item in order, linked to the item, sends equal requests
 * once, and reports what the service bills.
 */
import { isDeepStrictEqual } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { runWorkflow, source } from '../harness';
import { byId, runNode } from './nodes';
import { BILLED_READS, READS, runCase } from './operations';
import { packageNode, sentTo, useSandbox, userCredential } from './service';

// The clock stands still, so that lists have the same age before and after a reset.
const sandbox = useSandbox({ now: () => Date.UTC(2026, 0, 1) });

describe.each(READS)('$title', (one) => {
  it('outputs the same rows for several items as for each alone, in order and linked', async () => {
    const items = one.items(sandbox);
    const alone = [];
    for (const item of items) alone.push((await runCase(sandbox, one, [item])).json(one.name));
    sandbox.reset();
    // The first response arrives last. An output in the order of the responses would therefore
    // fail.
    sandbox.addFault({ preset: 'drip', options: { everyMs: 1 } });
    const run = await runCase(sandbox, one, [...items].reverse());

    expect(run.error).toBeUndefined();
    expect(run.json(one.name)).toEqual([...alone].reverse().flat());
    expect(run.traced()).toEqual([...alone].reverse().flatMap((rows, id) => rows.map(() => id)));
    expect(isDeepStrictEqual(alone[0], alone[1])).toBe(false);
  });

  it('sends equal requests once, but outputs separate objects for each item', async () => {
    const [first = {}, second = {}] = one.items(sandbox);
    const run = await runCase(sandbox, one, [first, second, first]);
    const output = run.output(one.name);
    const of = (id: number) => output.filter((_item, index) => run.traced()[index] === id);

    expect(sentTo(sandbox)).toHaveLength(2);
    expect(of(2).length).toBeGreaterThan(0);
    expect(of(2).map(({ json }) => json)).toEqual(of(0).map(({ json }) => json));
    expect(of(2)[0]?.json).not.toBe(of(0)[0]?.json);
  });
});

it.each(READS.filter(({ userKeyOnly }) => userKeyOnly !== true))(
  '$title returns the same rows with a user key and an organization key',
  async (one) => {
    const items = one.items(sandbox).slice(0, 1);
    const { companyIntelligenceUserApi: organization } = userCredential(sandbox, 'organization');
    const credentials = {
      ...userCredential(sandbox),
      companyIntelligenceOrganizationApi: organization,
    };
    const parameters = { authentication: 'organizationKey' };
    const byUser = await runCase(sandbox, one, items, { credentials });
    const byOrganization = await runCase(sandbox, one, items, { credentials, parameters });

    expect(byOrganization.json(one.name)).toEqual(byUser.json(one.name));
    expect(Object.keys(sandbox.report().byKey)).toEqual(['user', 'organization']);
  },
);

const HOST = 'https://www.cloud.google.com/products';

it.each<[string, INodeParameters, string]>([
  ['companyLookup', { operation: 'getMany', filters: { partnerWith: HOST } }, 'google.com'],
  ['partnerGraph', { operation: 'getPartners', identifier: HOST }, 'google.com'],
  ['partnerGraph', { operation: 'getReversePartners', partnerDomain: HOST }, 'google.com'],
  // Some vendors are known by a subdomain.
  ['techUsers', { operation: 'getByVendor', vendorDomain: HOST }, 'cloud.google.com'],
  ['techUsers', { operation: 'count', countBy: 'vendor', vendorDomain: HOST }, 'cloud.google.com'],
  // Add Domains can have kept it.
  ['listMembers', { operation: 'removeDomain', domain: HOST }, 'cloud.google.com'],
])('%s %j requests %s', async (type, own, host) => {
  const parameters = { listId: byId('lst_000001'), ...own, limit: 1 };
  await runNode(sandbox, type, parameters, [{}], { onError: 'continueRegularOutput' });
  const hosts = sandbox.report().recent.map(({ path }) => /[\w.]+\.com/.exec(path)?.[0]);
  expect(hosts).toEqual([host]);
});

it.each(BILLED_READS.filter(({ parameters }) => 'limit' in parameters))(
  '$title charges no more for Return All than the hint and Count Only say for 1 credit',
  async (one) => {
    const run = async (parameters: INodeParameters) =>
      await runCase(sandbox, one, one.items(sandbox).slice(0, 1), { parameters });
    const counted = await run({ countOnly: true, returnAll: true });
    expect(sandbox.report().requests).toBe(1);
    expect(sandbox.report().charged).toBeLessThanOrEqual(1);
    const limited = await run({ limit: 1 });
    sandbox.reset();
    const rows = (await run({ returnAll: true })).json(one.name).length;
    const all = rows.toLocaleString('en-US');

    expect(limited.messages(one.name).join()).toMatch(
      rows === 1
        ? /^1 row,/
        : new RegExp(`^1 of ${all} .* Return All would cost up to ${all} credits\\.$`),
    );
    expect(counted.json(one.name)).toMatchObject([{ total_results: rows, credits_at_most: rows }]);
    expect(sandbox.report().charged).toBeLessThanOrEqual(rows);
  },
);

it('adds up the requests of two nodes in the same execution', async () => {
  const [one] = BILLED_READS;
  const items = one!.items(sandbox);
  const node = (name: string) => {
    const spec = packageNode(one!.type, one!.parameters);
    return { ...spec, options: { ...spec.options, name } };
  };
  const run = await runWorkflow({
    nodes: [source(items), node('First'), node('Second')],
    wires: ['First', 'Second'].map((to) => ({ from: 'Source', to })),
    credentials: userCredential(sandbox),
  });

  expect(run.customData['company_intelligence_requests']).toBe(String(2 * items.length));
});
