import type { Company } from '../../../sandbox/data/companies';
import * as schemas from '../../../sandbox/schemas/partnerships';
import { useSandbox } from '../harness';

const service = useSandbox();

const { linksOf, pair, partnersOf, sharedBy } = service;
const domainOf = (id: number): string => service.sandbox.world.companies[id - 1]!.primaryDomain;

const pathOf = ([a, b]: [Company, Company]) =>
  `/v1/partnerships/${a.primaryDomain}/${b.primaryDomain}`;
const detailOf = (...both: [Company, Company]) =>
  service.read(pathOf(both), schemas.partnershipDetail);
const list = async (query = '', company = service.hub()) =>
  await service.read(
    `/v1/companies/${company.primaryDomain}/partnerships?limit=100${query}`,
    schemas.partnerList,
  );

test('Partnerships 1: the partner list is bidirectional, and type_counts ignore its filters', async () => {
  const hub = service.hub();
  const all = await list();
  expect(all.data.map((row) => row.partner_domain).toSorted()).toEqual(
    [...partnersOf(hub)].map(domainOf).toSorted(),
  );
  const back = await list('', service.sandbox.world.resolveDomain(all.data[0]!.partner_domain)!);
  expect(back.data.map((row) => row.partner_domain)).toContain(hub.primaryDomain);
  const counts = { technology: 0, channel: 0, generic: 0 };
  for (const link of linksOf(hub)) counts[link.type] += 1;
  expect(all.type_counts).toEqual(counts);
  expect((await list('&partnership_types=channel&q=a')).type_counts).toEqual(counts);
});

test('Fields Partner: filters by name and type, and sorts by each field in both directions', async () => {
  const { data: all } = await list();
  const text = all[0]!.partner_name.slice(0, 3).toLowerCase();
  const named = all.filter((row) => row.partner_name.toLowerCase().includes(text));
  expect((await list(`&q=${text}`)).data).toEqual(named);
  const typed = all.filter((row) => row.partnership_type !== 'technology');
  expect((await list('&partnership_types=channel,generic')).data).toEqual(typed);
  for (const field of ['last_observed_at', 'first_observed_at', 'observation_count'] as const) {
    const values = async (sort: string) =>
      (await list(`&sort=${sort}`)).data.map((row) => row[field]);
    const sorted = all.map((row) => row[field]).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    expect(await values(field)).toEqual(sorted);
    expect(await values(`-${field}`)).toEqual(sorted.toReversed());
  }
  expect(all).toEqual((await list('&sort=-last_observed_at')).data);
});

test('Fields Reverse: returns only companies that list the partner themselves', async () => {
  const hub = service.hub();
  const listing = linksOf(hub).filter((link) =>
    link.a === hub.id - 1 ? link.listedByB : link.listedByA,
  );
  expect(listing.length).toBeLessThan(linksOf(hub).length);
  const path = `/v1/partnerships/${hub.primaryDomain}/companies?limit=100`;
  const { partner, data } = await service.read(path, schemas.reverseList);
  expect(partner).toEqual({
    name: hub.name,
    domain: hub.primaryDomain,
    total_companies: listing.length,
  });
  expect(data.map((row) => row.primary_domain).toSorted()).toEqual(
    listing.map((link) => domainOf((link.a === hub.id - 1 ? link.b : link.a) + 1)).toSorted(),
  );
});

test('Fields Partnership detail: is the same in either order, and counts the shared partners', async () => {
  const [a, b] = pair(true);
  const both = sharedBy(a, b);
  const link = linksOf(a).find((one) => [one.a, one.b].includes(b.id - 1))!;
  const [there, back] = [await detailOf(a, b), await detailOf(b, a)];
  expect(there).toMatchObject({
    partnership_type: link.type,
    first_observed_at: new Date(link.firstObserved * 1000).toISOString(),
    shared_partner_count: both.length,
  });
  expect([there.company_a.name, there.company_b.name]).toEqual([a.name, b.name]);
  expect(back).toEqual({ ...there, company_a: there.company_b, company_b: there.company_a });
  const path = `${pathOf([a, b])}/shared-partners?limit=100`;
  const shared = await service.read(path, schemas.sharedPartnerList);
  expect(shared.data.map((row) => row.primary_domain).toSorted()).toEqual(
    both.map(domainOf).toSorted(),
  );
  expect([shared.company_a, shared.company_b]).toEqual([there.company_a, there.company_b]);
});

test('Bounds attributions: returns up to 50 attributions, most recent first', async () => {
  const { partnerships, companies } = service.sandbox.world;
  const { a, b } = partnerships.find(({ observations }) => observations > 60)!;
  const { attributions } = await detailOf(companies[a]!, companies[b]!);
  expect(attributions).toHaveLength(50);
  const times = attributions.map((one) => one.observed_at);
  expect(times).toEqual(times.toSorted().reverse());
});
