import * as schemas from '../../../sandbox/schemas/partnerships';
import { useSandbox } from '../harness';

const service = useSandbox();

const { linksOf, partnersOf } = service;
const domainOf = (id: number): string => service.sandbox.world.companies[id - 1]!.primaryDomain;

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

test('Bounds attributions: returns up to 50 attributions, most recent first', async () => {
  const { a, b } = service.sandbox.world.partnerships.find(
    ({ observations }) => observations > 60,
  )!;
  const path = `/v1/partnerships/${domainOf(a + 1)}/${domainOf(b + 1)}`;
  const { attributions } = await service.read(path, schemas.partnershipDetail);
  expect(attributions).toHaveLength(50);
  const times = attributions.map((one) => one.observed_at);
  expect(times).toEqual(times.toSorted().reverse());
});
