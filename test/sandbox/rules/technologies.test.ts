import {
  technologySearch,
  technologyUsers,
  vendorUsers,
} from '../../../sandbox/schemas/technologies';
import { useSandbox } from '../harness';

const service = useSandbox();

const search = async (q: string) => {
  const path = `/v1/technologies?q=${encodeURIComponent(q)}&limit=100`;
  return (await service.read(path, technologySearch)).technologies;
};

test('Technologies 0: search matches technology and vendor names', async () => {
  expect((await search('SHOPIFY')).map((row) => row.tech_key)).toContain('shopify');
  const ofVendor = (await search('intuit')).map((row) => row.tech_key);
  expect(ofVendor.sort()).toEqual(['mailchimp', 'quickbooks']);
  expect(await search('no-such-technology')).toEqual([]);
});

test('Fields Technology: search omits inactive technologies', async () => {
  const inactive = service.sandbox.world.technologies.filter((one) => !one.active);
  expect(inactive.length).toBeGreaterThan(0);
  for (const { key, name } of inactive) {
    expect((await search(name)).map((row) => row.tech_key)).not.toContain(key);
  }
});

test("Technologies 2: a vendor's companies are the union over its technologies, with summed counts", async () => {
  const { world } = service.sandbox;
  const keys = world.vendorByDomain
    .get('google.com')!
    .technologies.map((index) => world.technologies[index]!.key);
  const users = new Map<string, Array<{ key: string; n: number; first: string; last: string }>>();
  for (const key of keys) {
    const path = `/v1/technologies/${key}/companies?limit=10000`;
    for (const row of (await service.read(path, technologyUsers)).data) {
      const use = { key, n: row.detection_count, first: row.first_seen_at, last: row.last_seen_at };
      users.set(row.primary_domain, [...(users.get(row.primary_domain) ?? []), use]);
    }
  }
  const body = await service.read('/v1/vendors/google.com/companies?limit=10000', vendorUsers);
  expect(new Set(body.data.map((row) => row.additional_signals === undefined)).size).toBe(2);
  expect(body.vendor).toMatchObject({
    vendor_slug: 'google',
    vendor_name: 'Google',
    domain: 'google.com',
    total_companies: users.size,
  });
  expect(body.data).toHaveLength(users.size);
  for (const row of body.data) {
    const uses = users.get(row.primary_domain)!;
    expect(row).toMatchObject({
      detection_count: uses.reduce((sum, { n }) => sum + n, 0),
      first_seen_at: uses.map(({ first }) => first).sort()[0],
      last_seen_at: uses
        .map(({ last }) => last)
        .sort()
        .at(-1),
    });
    const used = row.technologies_used.map((one) => one.tech_key).sort();
    expect(used).toEqual(uses.map(({ key }) => key).sort());
  }
});
