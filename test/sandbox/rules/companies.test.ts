import type { KeyName } from '../../../sandbox';
import { paged } from '../../../sandbox/schemas/common';
import { bulkResponse, company } from '../../../sandbox/schemas/companies';
import { ok, refusal, refused, unlisted, useSandbox } from '../harness';

const service = useSandbox();
const companies = paged(company);

const bulk = (domains: string[], key?: KeyName) => service.post('/v1/companies', { domains }, key);
const found = async (domains: string[], include: string[] = []) =>
  ok(await service.post('/v1/companies', { domains, include }), bulkResponse);

const popularity = (key: string): number => {
  const { world } = service.sandbox;
  return world.detections.byTechnology[world.technologyByKey.get(key)!.index]!.length;
};

test('Fields Company: optional fields are present when known, sections only when included', async () => {
  const rich = service.companies(
    (one) => one.slug !== null && one.otherDomains !== null && one.investors !== null,
  )[0]!;
  const plain = await service.read(`/v1/companies/${rich.primaryDomain}`, company);
  expect(Object.keys(plain).sort()).toEqual(
    ['domains', 'investors', 'name', 'partnership_count', 'primary_domain', 'slug'].sort(),
  );
  expect(plain.domains).toContain(rich.primaryDomain);

  const poor = service.companies(
    (one) => one.slug === null || one.otherDomains === null || one.investors === null,
  );
  for (const one of poor.slice(0, 20)) {
    const body = await service.read(`/v1/companies/${one.primaryDomain}`, company);
    expect('slug' in body).toBe(one.slug !== null);
    expect('domains' in body).toBe(one.otherDomains !== null);
    expect('investors' in body).toBe(one.investors !== null);
  }
});

test('Fields Firmographics: counts match technologies and partnerships', async () => {
  const path = `/v1/companies/${service.hub().primaryDomain}?include=firmographics,technologies`;
  const body = await service.read(path, company);
  expect(body.firmographics!.tech_count).toBe(body.technologies!.length);
  expect(body.firmographics!.partnership_count).toBe(body.partnership_count);
});

test('Fields Company technology: technologies are ordered by global popularity', async () => {
  const many = service.companies((one) => {
    const { start } = service.sandbox.world.detections;
    return start[one.id]! - start[one.id - 1]! > 5;
  })[0]!;
  const path = `/v1/companies/${many.primaryDomain}?include=technologies`;
  const body = await service.read(path, company);
  const uses = body.technologies!.map((row) => popularity(row.tech_key));
  expect(uses.length).toBeGreaterThan(5);
  expect(uses).toEqual([...uses].sort((a, b) => b - a));
  expect(body.technologies!.every((row) => row.last_seen >= row.first_seen)).toBe(true);
});

test('Companies 1: returns 404 company_not_found when the identifier does not resolve', async () => {
  expect(refusal(await service.get('/v1/companies/no-such-company'))).toMatchObject({
    status: 404,
    error: 'company_not_found',
    identifier: 'no-such-company',
  });
  expect(service.spent()).toBe(0);
});

test('Companies 2: bulk lookup distinguishes tracked, untracked and malformed domains', async () => {
  const [one, two] = [service.hub(0), service.hub(1)];
  const body = await found([
    one.primaryDomain,
    'unlisted.example',
    'not a domain',
    two.primaryDomain,
    'nodot',
  ]);
  expect(body.data.map((row) => [row.domain, row.status])).toEqual([
    [one.primaryDomain, 'tracked'],
    ['unlisted.example', 'not_tracked'],
    [two.primaryDomain, 'tracked'],
  ]);
  expect(body).toMatchObject({
    total_domains_requested: 3,
    domains_found: 2,
    domains_not_found: ['unlisted.example'],
    rejected: 2,
    rejected_domains: ['not a domain', 'nodot'],
  });
});

test("Companies 2: returns 400 batch_too_large when a batch exceeds the key's ceiling", async () => {
  for (const [key, ceiling] of [
    ['lowBatch', 25],
    ['user', 100],
  ] as const) {
    // Duplicates count toward the ceiling, malformed domains do not.
    const full = [...unlisted(ceiling - 1), 'unlisted-0.example', 'bad', 'worse'];
    const { data, rejected } = ok(await bulk(full, key), bulkResponse);
    expect([data.length, rejected]).toEqual([ceiling - 1, 2]);
    expect(refused(await bulk(unlisted(ceiling + 1), key))).toBe('400 batch_too_large');
  }
});

test('Fields Bulk: sections not requested are empty arrays, and counts are always present', async () => {
  const hub = service.hub();
  const read = async (include: string[]) => (await found([hub.primaryDomain], include)).data[0]!;
  const lean = await read([]);
  expect(lean).toMatchObject({ technologies: [], partnerships: [] });
  const full = await read(['technologies', 'partnerships', 'firmographics']);
  expect(lean.technology_count).toBe(full.technologies.length);
  expect(lean.partnership_count).toBe(full.partnerships.length);
  expect(lean.company).not.toHaveProperty('firmographics');
  expect(full.company).toHaveProperty('firmographics.industry', hub.industry);
  expect(full.technologies.length).toBeGreaterThan(0);
  for (const row of full.technologies) {
    const known = service.sandbox.world.technologyByKey.get(row.tech_key)!;
    expect(row).toMatchObject({ display_name: known.name, vendor_name: known.vendor.name });
  }
});

test('Companies 5: q searches company names', async () => {
  const text = service.hub().name.slice(0, 4).toUpperCase();
  const body = await service.read(`/v1/companies?q=${text}&limit=100`, companies);
  const expected = service.companies((one) => one.nameLower.includes(text.toLowerCase()));
  expect(body.pagination.total_results).toBe(expected.length);
  expect(body.data.map((row) => row.primary_domain).sort()).toEqual(
    expected.map((one) => one.primaryDomain).sort(),
  );
});

test('Companies 5: partner_with accepts a slug or domain, and combines with partnership_types', async () => {
  const hub = [0, 1, 2, 3].map((n) => service.hub(n)).find((one) => one.slug !== null)!;
  const total = async (query: string): Promise<number> =>
    (await service.read(`/v1/companies?${query}`, companies)).pagination.total_results;
  const links = service.linksOf(hub);
  expect(await total(`partner_with=${hub.primaryDomain}`)).toBe(links.length);
  expect(await total(`partner_with=${hub.slug}`)).toBe(links.length);
  expect(await total(`partner_with=${hub.slug}&partnership_types=channel,generic`)).toBe(
    links.filter((link) => link.type !== 'technology').length,
  );
  expect(await total('partner_with=unlisted.example')).toBe(0);
  const channel = service.companies((one) =>
    service.linksOf(one).some((link) => link.type === 'channel'),
  );
  expect(await total('partnership_types=channel')).toBe(channel.length);
});

test('Companies 5: partner_count_min, partner_count_max and has_partner_page filter the list', async () => {
  const path = '/v1/companies?partner_count_min=2&partner_count_max=3&limit=100';
  const few = await service.read(path, companies);
  expect(few.pagination.total_results).toBe(
    service.companies((_, partners) => partners >= 2 && partners <= 3).length,
  );
  expect(few.data.every((row) => [2, 3].includes(row.partnership_count))).toBe(true);

  const { hasPartnerPage } = service.sandbox.world;
  for (const wanted of [true, false]) {
    const body = await service.read(`/v1/companies?has_partner_page=${wanted}`, companies);
    const expected = service.companies((one) => (hasPartnerPage[one.id - 1] === 1) === wanted);
    expect(body.pagination.total_results).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(0);
  }
});

test('Companies 5: sorts by partnership_count or name, descending when prefixed with a minus sign', async () => {
  const read = async (sort: string) =>
    (await service.read(`/v1/companies?limit=100${sort}`, companies)).data;
  const byDefault = (await read('')).map((row) => row.partnership_count);
  expect(byDefault).toEqual([...byDefault].sort((a, b) => b - a));
  expect(byDefault[0]).toBeGreaterThan(byDefault[99]!);
  const ascending = (await read('&sort=partnership_count')).map((row) => row.partnership_count);
  expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
  const names = (await read('&sort=name')).map((row) => row.name.toLowerCase());
  expect(names).toEqual([...names].sort());
  const reversed = (await read('&sort=-name')).map((row) => row.name.toLowerCase());
  expect(reversed).toEqual([...reversed].sort().reverse());
  expect((await service.get('/v1/companies?sort=size')).status).toBe(400);
});

test('Companies 5: include=firmographics adds firmographics to every row', async () => {
  const body = await service.read('/v1/companies?include=firmographics&limit=3', companies);
  expect(body.data.every((row) => row.firmographics !== undefined)).toBe(true);
  expect((await service.get('/v1/companies?include=technologies')).status).toBe(400);
});
