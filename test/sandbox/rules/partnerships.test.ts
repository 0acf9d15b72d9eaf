import type { Company } from '../../../sandbox/data/companies';
import * as schemas from '../../../sandbox/schemas/partnerships';
import { enrichmentResponse } from '../../../sandbox/schemas/enrichment';
import { ok, useSandbox } from '../harness';

const service = useSandbox();

const { linksOf, partnersOf } = service;
const domainOf = (id: number): string => service.sandbox.world.companies[id - 1]!.primaryDomain;

const sharedBy = (a: Company, b: Company): number[] =>
  [...partnersOf(a)].filter((id) => partnersOf(b).has(id));

/** Returns two companies with partners in common, which are or are not each other's partners. */
const pair = (arePartners: boolean): [Company, Company] => {
  const hub = service.hub();
  const other = service.companies(
    (one) =>
      one !== hub && partnersOf(hub).has(one.id) === arePartners && sharedBy(hub, one).length > 0,
  )[0]!;
  return [hub, other];
};
const pathOf = ([a, b]: [Company, Company]) =>
  `/v1/partnerships/${a.primaryDomain}/${b.primaryDomain}`;
const detailOf = (...both: [Company, Company]) =>
  service.read(pathOf(both), schemas.partnershipDetail);

const list = async (query = '', company = service.hub()) =>
  await service.read(
    `/v1/companies/${company.primaryDomain}/partnerships?limit=100${query}`,
    schemas.partnerList,
  );

test('Partnerships 1: the partner list is bidirectional', async () => {
  const hub = service.hub();
  const oneSided = linksOf(hub).filter((link) => link.listedByA !== link.listedByB);
  const fromHere = oneSided.filter((link) =>
    link.a === hub.id - 1 ? link.listedByA : link.listedByB,
  );
  expect(fromHere.length).toBeGreaterThan(0);
  expect(oneSided.length).toBeGreaterThan(fromHere.length);
  const { data } = await list();
  expect(new Set(data.map((row) => row.partner_domain))).toEqual(
    new Set([...partnersOf(hub)].map(domainOf)),
  );
  for (const row of data.slice(0, 5)) {
    const other = service.sandbox.world.resolveDomain(row.partner_domain)!;
    const back = await list('', other);
    expect(back.data.map((one) => one.partner_domain)).toContain(hub.primaryDomain);
  }
});

test('Partnerships 1: type_counts are totals per type, regardless of filters', async () => {
  const all = await list();
  const filtered = await list('&partnership_types=channel&q=a');
  expect(filtered.type_counts).toEqual(all.type_counts);
  const { technology, channel, generic } = all.type_counts;
  expect(technology + channel + generic).toBe(all.company.partnership_count);
  expect(filtered.pagination.total_results).toBeLessThan(channel + 1);
});

test('Fields Partner: filters by name and type', async () => {
  const all = (await list()).data;
  const text = all[0]!.partner_name.slice(0, 3).toLowerCase();
  const byName = await list(`&q=${text}`);
  expect(byName.data).toEqual(all.filter((row) => row.partner_name.toLowerCase().includes(text)));
  const byType = await list('&partnership_types=channel,generic');
  expect(byType.data).toEqual(all.filter((row) => row.partnership_type !== 'technology'));
  expect(byType.data.length).toBeLessThan(all.length);
  const hub = `/v1/companies/${service.hub().primaryDomain}/partnerships`;
  expect((await service.get(`${hub}?partnership_types=other`)).status).toBe(400);
});

test('Fields Partner: sorts by each field in both directions, newest observation by default', async () => {
  for (const field of ['last_observed_at', 'first_observed_at', 'observation_count'] as const) {
    for (const sign of ['', '-']) {
      const values = (await list(`&sort=${sign}${field}`)).data.map((row) => row[field]);
      const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(values).toEqual(sign === '' ? sorted : sorted.reverse());
    }
  }
  expect((await list()).data).toEqual((await list('&sort=-last_observed_at')).data);
});

test('Partnerships 2: returns 404 partner_not_found for an unknown partner', async () => {
  expect(await service.refusedAt('/v1/partnerships/unlisted.example/companies')).toBe(
    '404 partner_not_found',
  );
});

test('Fields Reverse: returns only companies that list the partner themselves', async () => {
  const hub = service.hub();
  const path = `/v1/partnerships/${hub.primaryDomain}/companies`;
  const listing = linksOf(hub).filter((link) =>
    link.a === hub.id - 1 ? link.listedByB : link.listedByA,
  );
  const body = await service.read(`${path}?limit=100`, schemas.reverseList);
  expect(body.partner).toEqual({
    name: hub.name,
    domain: hub.primaryDomain,
    total_companies: listing.length,
  });
  expect(listing.length).toBeLessThan(linksOf(hub).length);
  expect(body.data.map((row) => row.primary_domain).sort()).toEqual(
    listing.map((link) => domainOf((link.a === hub.id - 1 ? link.b : link.a) + 1)).sort(),
  );
  expect(body.data.every((row) => row.firmographics === undefined)).toBe(true);
  const rich = await service.read(`${path}?include=firmographics`, schemas.reverseList);
  expect(rich.data[0]!.firmographics).toBeDefined();
});

test('Partnerships 3: returns the same partnership in either order of the pair', async () => {
  const [a, b] = pair(true);
  const link = linksOf(a).find((one) => [one.a, one.b].includes(b.id - 1))!;
  const [there, back] = [await detailOf(a, b), await detailOf(b, a)];
  expect(there.partnership_type).toBe(link.type);
  expect(Date.parse(there.first_observed_at)).toBe(link.firstObserved * 1000);
  expect(there.company_a).toEqual(back.company_b);
  expect(there.attributions).toEqual(back.attributions);
});

test('Partnerships 3: returns 404 partnership_not_found when the pair has no partnership', async () => {
  for (const path of [pathOf(pair(false)), `${pathOf(pair(false))}/shared-partners`]) {
    expect(await service.refusedAt(path)).toBe('404 partnership_not_found');
  }
});

test('Partnerships 3: returns 404 company_not_found when an identifier does not resolve', async () => {
  const known = service.hub().primaryDomain;
  for (const path of [`${known}/unlisted.example`, `unlisted.example/${known}`]) {
    for (const rest of ['', '/shared-partners', '/graph']) {
      expect(await service.refusedAt(`/v1/partnerships/${path}${rest}`)).toBe(
        '404 company_not_found',
      );
    }
  }
});

test('Companies 1: partner lists and graphs return 404 company_not_found for an unknown company', async () => {
  for (const rest of ['', '/graph']) {
    const path = `/v1/companies/unlisted.example/partnerships${rest}`;
    expect(await service.refusedAt(path)).toBe('404 company_not_found');
  }
});

test('Bounds attributions: returns up to 50 attributions, most recent first', async () => {
  const { partnerships, companies } = service.sandbox.world;
  const read = async (wanted: (observations: number) => boolean) => {
    const { a, b } = partnerships.find((link) => wanted(link.observations))!;
    return (await detailOf(companies[a]!, companies[b]!)).attributions;
  };
  const attributions = await read((observations) => observations > 60);
  expect(attributions).toHaveLength(50);
  const times = attributions.map((one) => one.observed_at);
  expect(times).toEqual([...times].sort().reverse());
  expect(await read((observations) => observations === 1)).toHaveLength(1);
});

test('Fields Partnership detail: shared_partner_count matches the rows of shared-partners', async () => {
  const [a, b] = pair(true);
  const both = sharedBy(a, b);
  const path = `${pathOf([a, b])}/shared-partners?limit=100`;
  const shared = await service.read(path, schemas.sharedPartnerList);
  expect((await detailOf(a, b)).shared_partner_count).toBe(both.length);
  expect(shared.data.map((row) => row.primary_domain).sort()).toEqual(both.map(domainOf).sort());
  expect([shared.company_a.name, shared.company_b.name]).toEqual([a.name, b.name]);
});

test('Fields Graph: depth 1 contains direct partners, and depth 2 also their partners', async () => {
  const root = service.companies((_, partners) => partners === 3)[0]!;
  const read = async (depth: number, nodes = 100) =>
    await service.read(
      `/v1/companies/${root.primaryDomain}/partnerships/graph?depth=${depth}&max_nodes=${nodes}`,
      schemas.companyGraph,
    );
  const direct = partnersOf(root);
  const one = await read(1);
  expect(new Set(one.nodes.map((node) => node.id))).toEqual(new Set([root.id, ...direct]));
  expect(one.root_company).toBe(root.id);
  expect(one.nodes.filter((node) => node.is_root).map((node) => node.id)).toEqual([root.id]);
  const two = await read(2);
  const far = two.nodes.map((node) => node.id).filter((id) => id !== root.id && !direct.has(id));
  expect(far.length).toBeGreaterThan(0);
  const { companies } = service.sandbox.world;
  for (const id of far) {
    const near = partnersOf(companies[id - 1]!);
    expect([...direct].some((partner) => near.has(partner))).toBe(true);
  }
});

test('Bounds graph of a pair: max_nodes is 1 to 100', async () => {
  const path = `${pathOf(pair(true))}/graph`;
  for (const query of ['?max_nodes=1', '?max_nodes=100', '']) {
    expect((await service.get(path + query)).status).toBe(200);
  }
  for (const query of ['?max_nodes=0', '?max_nodes=101']) {
    expect((await service.get(path + query)).status).toBe(400);
  }
});

test('Bounds graph: depth is 1 or 2 (default 1), and max_nodes is 1 to 100 (default 50)', async () => {
  const path = `/v1/companies/${service.hub().primaryDomain}/partnerships/graph`;
  const read = async (query: string) =>
    (await service.read(`${path}${query}`, schemas.companyGraph)).nodes;
  expect(await read('?depth=2')).toHaveLength(50);
  expect(await read('?depth=2&max_nodes=100')).toHaveLength(100);
  expect(await read('?depth=2&max_nodes=1')).toHaveLength(1);
  expect(await read('?max_nodes=100')).toEqual(await read('?depth=1&max_nodes=100'));
  for (const query of ['?depth=0', '?depth=3', '?max_nodes=101', '?max_nodes=0']) {
    expect((await service.get(path + query)).status).toBe(400);
  }
});

test('Fields Graph: the graph of a pair contains both roots and prefers shared partners', async () => {
  const [a, b] = pair(true);
  const shared = sharedBy(a, b);
  expect(shared.length).toBeGreaterThan(0);
  const graph = (nodes: number) =>
    service.read(`${pathOf([a, b])}/graph?max_nodes=${nodes}`, schemas.pairGraph);
  const body = await graph(2 + shared.length);
  expect(body.root_companies).toEqual([a.id, b.id]);
  expect(body.nodes.map((node) => node.id).sort()).toEqual([a.id, b.id, ...shared].sort());
  expect((await graph(100)).nodes.length).toBeGreaterThan(2 + shared.length);
});

test('Partnerships 1: enrichment returns partners in both directions', async () => {
  const hub = service.hub();
  const reply = await service.post('/v1/enrich/partnerships', { domains: [hub.primaryDomain] });
  const { results } = ok(reply, enrichmentResponse);
  expect(results[0]!.partnerships.map((one) => one.partner_domain).sort()).toEqual(
    [...partnersOf(hub)].map(domainOf).sort(),
  );
});
