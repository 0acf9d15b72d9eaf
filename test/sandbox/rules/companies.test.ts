import { z } from 'zod/v4';
import type { KeyName } from '../../../sandbox';
import { paged } from '../../../sandbox/schemas/common';
import { bulkResponse, company } from '../../../sandbox/schemas/companies';
import { ok, refused, unlisted, useSandbox } from '../harness';

const service = useSandbox();
const companies = paged(company);

const bulk = (domains: string[], key?: KeyName, include: string[] = []) =>
  service.post('/v1/companies', { domains, include }, key);
const list = (query: string) => service.read(`/v1/companies?limit=100&${query}`, companies);
const total = async (query: string) => (await list(query)).pagination.total_results;

test('Fields Company: optional fields are present when known, sections only when included', async () => {
  const isRich = service.companies(
    (one) => one.slug !== null && one.otherDomains !== null && one.investors !== null,
  )[0]!;
  const poor = service.companies((one) => one.slug === null || one.investors === null);
  for (const one of [isRich, ...poor.slice(0, 20)]) {
    const body = await service.read(`/v1/companies/${one.primaryDomain}`, company);
    expect(Object.keys(body).toSorted()).toEqual([
      ...(one.otherDomains === null ? [] : ['domains']),
      ...(one.investors === null ? [] : ['investors']),
      ...['name', 'partnership_count', 'primary_domain'],
      ...(one.slug === null ? [] : ['slug']),
    ]);
    expect(body.domains ?? [one.primaryDomain]).toContain(one.primaryDomain);
  }
});

test('Fields Firmographics: are in rows only when included', async () => {
  const rows = z.object({ data: z.array(z.looseObject({})) });
  for (const path of [
    '/v1/companies',
    '/v1/technologies/google-analytics/companies',
    '/v1/vendors/google.com/companies',
    `/v1/partnerships/${service.hub().primaryDomain}/companies`,
  ]) {
    for (const query of ['', '?include=firmographics']) {
      const { data } = await service.read(path + query, rows);
      expect(data.length).toBeGreaterThan(0);
      expect(data.every((row) => 'firmographics' in row === (query !== ''))).toBe(true);
    }
  }
});

test('Fields Firmographics: count what the company itself shows', async () => {
  const path = `/v1/companies/${service.hub().primaryDomain}?include=firmographics,technologies`;
  const { firmographics, partnership_count, technologies = [] } = await service.read(path, company);
  expect(firmographics).toMatchObject({ tech_count: technologies.length, partnership_count });
});

test('Companies 2: bulk lookup distinguishes tracked, untracked and malformed domains', async () => {
  const [one, two] = [service.hub(0).primaryDomain, service.hub(1).primaryDomain];
  const reply = await bulk([one, 'unlisted.example', 'not a domain', two, 'nodot']);
  expect(ok(reply, bulkResponse)).toMatchObject({
    data: [
      { domain: one, status: 'tracked' },
      { domain: 'unlisted.example', status: 'not_tracked' },
      { domain: two, status: 'tracked' },
    ],
    total_domains_requested: 3,
    domains_found: 2,
    domains_not_found: ['unlisted.example'],
    rejected: 2,
    rejected_domains: ['not a domain', 'nodot'],
  });
});

test.each([
  ['lowBatch', 25],
  ['user', 100],
] as const)('Companies 2: the batch ceiling of the key %s is %i', async (key, ceiling) => {
  // Duplicates count toward the ceiling, malformed domains do not.
  const full = [...unlisted(ceiling - 1), 'unlisted-0.example', 'bad', 'worse'];
  const { data, rejected } = ok(await bulk(full, key), bulkResponse);
  expect([data.length, rejected]).toEqual([ceiling - 1, 2]);
  expect(refused(await bulk(unlisted(ceiling + 1), key))).toBe('400 batch_too_large');
});

test('Fields Bulk: sections not requested are empty arrays, and counts are always present', async () => {
  const hub = service.hub();
  const read = async (...include: string[]) =>
    ok(await bulk([hub.primaryDomain], 'user', include), bulkResponse).data[0]!;
  const [lean, full] = [await read(), await read('technologies', 'partnerships', 'firmographics')];
  expect(lean).toMatchObject({
    technologies: [],
    partnerships: [],
    technology_count: full.technologies.length,
    partnership_count: full.partnerships.length,
  });
  expect(lean.company).not.toHaveProperty('firmographics');
  expect(full.company).toHaveProperty('firmographics.industry', hub.industry);
  expect(full.technologies.length).toBeGreaterThan(0);
  for (const row of full.technologies) {
    const known = service.sandbox.world.technologyByKey.get(row.tech_key)!;
    expect(row).toMatchObject({ display_name: known.name, vendor_name: known.vendor.name });
  }
});

test('Companies 5: parameters filter the list, and combine', async () => {
  const hub = [0, 1, 2, 3].map((n) => service.hub(n)).find((one) => one.slug !== null)!;
  const text = hub.name.slice(0, 4);
  const links = service.linksOf(hub);
  const { hasPartnerPage } = service.sandbox.world;
  const having = (wanted: number) =>
    service.companies(({ id }) => hasPartnerPage[id - 1] === wanted).length;
  const named = service.companies(({ nameLower }) => nameLower.includes(text.toLowerCase()));
  const cases: Array<[string, number]> = [
    [`q=${text.toUpperCase()}`, named.length],
    [`partner_with=${hub.primaryDomain}`, links.length],
    [`partner_with=${hub.slug}`, links.length],
    [
      `partner_with=${hub.slug}&partnership_types=channel,generic`,
      links.filter((link) => link.type !== 'technology').length,
    ],
    ['partner_with=unlisted.example', 0],
    [
      'partnership_types=channel',
      service.companies((one) => service.linksOf(one).some(({ type }) => type === 'channel'))
        .length,
    ],
    [
      'partner_count_min=2&partner_count_max=3',
      service.companies((_, partners) => partners >= 2 && partners <= 3).length,
    ],
    ['has_partner_page=true', having(1)],
    ['has_partner_page=false', having(0)],
  ];
  for (const [query, count] of cases) expect([query, await total(query)]).toEqual([query, count]);
  expect((await list(`q=${text}`)).data.map((row) => row.primary_domain).sort()).toEqual(
    named.map((one) => one.primaryDomain).sort(),
  );
});

test.each([
  ['', 'partnership_count', -1],
  ['sort=partnership_count', 'partnership_count', 1],
  ['sort=name', 'name', 1],
  ['sort=-name', 'name', -1],
] as const)('Companies 5: "%s" sorts by %s in the direction %i', async (sort, field, direction) => {
  const values = (await list(sort)).data.map((row) => String(row[field]).toLowerCase());
  const collator = new Intl.Collator('en', { numeric: true });
  expect(new Set(values).size).toBeGreaterThan(1);
  expect(values).toEqual(values.toSorted((a, b) => direction * collator.compare(a, b)));
});
