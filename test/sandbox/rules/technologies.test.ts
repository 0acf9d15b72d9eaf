import {
  technologySearch,
  technologyUsers,
  vendorUsers,
} from '../../../sandbox/schemas/technologies';
import { useSandbox } from '../harness';

const service = useSandbox();

test('Technologies 0: search matches technology and vendor names', async () => {
  const read = async (q: string) =>
    (await service.read(`/v1/technologies?q=${q}&limit=100`, technologySearch)).technologies;
  expect((await read('SHOPIFY')).map((row) => row.tech_key)).toContain('shopify');
  const ofVendor = await read('intuit');
  expect(ofVendor.map((row) => row.tech_key).sort()).toEqual(['mailchimp', 'quickbooks']);
  expect(await read('no-such-technology')).toEqual([]);
});

test('Fields Technology: search omits inactive technologies', async () => {
  const inactive = service.sandbox.world.technologies.filter((one) => !one.active);
  expect(inactive.length).toBeGreaterThan(0);
  for (const technology of inactive) {
    const q = encodeURIComponent(technology.name);
    const body = await service.read(`/v1/technologies?q=${q}&limit=100`, technologySearch);
    expect(body.technologies.map((row) => row.tech_key)).not.toContain(technology.key);
  }
});

test('Bounds technology search: q is 1 to 200 characters, and limit defaults to 20', async () => {
  const status = async (q: string) =>
    (await service.get(`/v1/technologies?q=${encodeURIComponent(q)}`)).status;
  expect((await service.get('/v1/technologies')).status).toBe(400);
  expect(await status('')).toBe(400);
  for (const sign of ['x', '😀']) {
    expect(await status(sign.repeat(200))).toBe(200);
    expect(await status(sign.repeat(201))).toBe(400);
  }
  const body = await service.read('/v1/technologies?q=a', technologySearch);
  expect(body.pagination.limit).toBe(20);
  expect(body.technologies).toHaveLength(20);
});

test('Technologies 1: refuses a malformed or unknown tech_key', async () => {
  for (const key of ['Shopify', 'a_b', 'a%20b', 'a.b']) {
    const path = `/v1/technologies/${key}/companies`;
    expect(await service.refusedAt(path)).toBe('400 invalid_tech_key');
  }
  const unknown = '/v1/technologies/no-such-key/companies';
  expect(await service.refusedAt(unknown)).toBe('404 technology_not_found');
});

test('Technologies 2: finds a vendor only by its exact domain', async () => {
  for (const domain of ['www.hubspot.com', 'hubspot.de', 'spot.com']) {
    expect(await service.refusedAt(`/v1/vendors/${domain}/companies`)).toBe('404 vendor_not_found');
  }
  for (const domain of ['hubspot', 'not%20a.domain', '-x.com', `${'a'.repeat(64)}.com`]) {
    expect(await service.refusedAt(`/v1/vendors/${domain}/companies`)).toBe('400 invalid_domain');
  }
});

test("Technologies 2: a vendor's companies are the union over its technologies, with summed counts", async () => {
  const { world } = service.sandbox;
  const vendor = world.vendorByDomain.get('google.com')!;
  const sums: Record<string, { count: number; keys: string[]; first: string; last: string }> = {};
  for (const { key } of vendor.technologies.map((index) => world.technologies[index]!)) {
    const path = `/v1/technologies/${key}/companies?limit=10000`;
    for (const row of (await service.read(path, technologyUsers)).data) {
      const { first_seen_at: first, last_seen_at: last } = row;
      const sum = sums[row.primary_domain] ?? { count: 0, keys: [], first, last };
      sums[row.primary_domain] = {
        count: sum.count + row.detection_count,
        keys: [...sum.keys, key].sort(),
        first: first < sum.first ? first : sum.first,
        last: last > sum.last ? last : sum.last,
      };
    }
  }
  const body = await service.read('/v1/vendors/google.com/companies?limit=10000', vendorUsers);
  expect(new Set(body.data.map((row) => row.additional_signals === undefined)).size).toBe(2);
  expect(body.vendor).toMatchObject({
    vendor_slug: 'google',
    vendor_name: 'Google',
    domain: 'google.com',
    total_companies: Object.keys(sums).length,
  });
  const rows = body.data.map((row) => [
    row.primary_domain,
    {
      count: row.detection_count,
      keys: row.technologies_used.map((one) => one.tech_key).sort(),
      first: row.first_seen_at,
      last: row.last_seen_at,
    },
  ]);
  expect(Object.fromEntries(rows)).toEqual(sums);
});

test('Technologies 3: sorts companies by most recent evidence, then alphabetically', async () => {
  for (const path of ['/v1/technologies/google-analytics', '/v1/vendors/google.com']) {
    const schema = path.includes('vendors') ? vendorUsers : technologyUsers;
    const { data } = await service.read(`${path}/companies?limit=10000`, schema);
    const keys = data.map((row) => [row.last_seen_at, row.name.toLowerCase()] as const);
    const sorted = [...keys].sort((a, b) =>
      a[0] === b[0] ? (a[1] < b[1] ? -1 : 1) : a[0] < b[0] ? 1 : -1,
    );
    expect(keys).toEqual(sorted);
    expect(new Set(keys.map(([seen]) => seen)).size).toBeLessThan(keys.length);
  }
});

test('Fields Technology user: returns totals, timestamps, and firmographics only when included', async () => {
  const path = '/v1/technologies/google-analytics/companies';
  const plain = await service.read(path, technologyUsers);
  expect(plain.technology.total_companies).toBe(plain.pagination.total_results);
  expect(plain.data.every((row) => row.firmographics === undefined)).toBe(true);
  expect(plain.data.every((row) => row.first_seen_at <= row.last_seen_at)).toBe(true);
  const rich = await service.read(`${path}?include=firmographics`, technologyUsers);
  expect(rich.data.every((row) => row.firmographics !== undefined)).toBe(true);
});

test('Bounds technology and vendor company lists: limit is up to 10,000 and defaults to 50', async () => {
  for (const path of ['/v1/technologies/google-analytics', '/v1/vendors/google.com']) {
    const schema = path.includes('vendors') ? vendorUsers : technologyUsers;
    expect((await service.read(`${path}/companies`, schema)).pagination.limit).toBe(50);
    expect((await service.get(`${path}/companies?limit=10000`)).status).toBe(200);
    expect((await service.get(`${path}/companies?limit=10001`)).status).toBe(400);
  }
});
