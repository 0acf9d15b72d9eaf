import { paged } from '../../../sandbox/schemas/common';
import { company } from '../../../sandbox/schemas/companies';
import {
  companyGraph,
  pairGraph,
  partnerList,
  reverseList,
  sharedPartnerList,
} from '../../../sandbox/schemas/partnerships';
import { technologyUsers, vendorUsers } from '../../../sandbox/schemas/technologies';
import { refusal, useSandbox } from '../harness';

const service = useSandbox();
const DAY = 24 * 60 * 60;

test('Credits 1: charges one credit per net-new company returned', async () => {
  await service.get(`/v1/companies/${service.hub(0).primaryDomain}`);
  expect(service.spent()).toBe(1);
  await service.get(`/v1/companies/${service.hub(1).primaryDomain}?include=technologies`);
  expect(service.spent()).toBe(2);
});

test('Credits 2: a company is free for 30 days after it is charged, then charged again', async () => {
  const path = `/v1/companies/${service.hub().primaryDomain}`;
  await service.get(path);
  service.sandbox.advance(30 * DAY - 10);
  await service.get(path);
  expect(service.spent()).toBe(1);
  service.sandbox.advance(20);
  await service.get(path);
  expect(service.spent()).toBe(2);
});

test('Credits 2: the free 30 days apply to the organization, not to the key', async () => {
  const path = `/v1/companies/${service.hub().primaryDomain}`;
  for (const key of ['user', 'colleague', 'organization', 'otherOrganization'] as const) {
    await service.get(path, key);
  }
  expect(service.spent('user')).toBe(1);
  expect(service.spent('otherOrganization')).toBe(1);
});

test('Credits 2: the free 30 days apply across endpoints', async () => {
  const hub = service.hub();
  await service.post('/v1/enrich/partnerships', { domains: [hub.primaryDomain] });
  await service.get(`/v1/companies/${hub.primaryDomain}`);
  await service.post('/v1/companies', { domains: [hub.primaryDomain] });
  expect(service.spent()).toBe(1);
});

test('Credits 3: a company duplicated within one response is charged once', async () => {
  const one = service.companies((candidate) => !!candidate.otherDomains?.length)[0]!;
  await service.post('/v1/companies', { domains: [one.primaryDomain, ...one.otherDomains!] });
  expect(service.spent()).toBe(1);
  // Two companies in one response that also appear as each other's partners.
  service.sandbox.reset();
  const hubs = [service.hub(0), service.hub(1)];
  const body = { domains: hubs.map((hub) => hub.primaryDomain) };
  await service.post('/v1/companies', { ...body, include: ['partnerships'] });
  const ids = new Set(hubs.flatMap((hub) => [hub.id, ...service.partnersOf(hub)]));
  expect(service.spent()).toBe(ids.size);
});

test('Credits 4: returns 402 without data or charge when the balance does not cover a call', async () => {
  const reply = await service.get('/v1/companies?limit=30', 'nearlyOut');
  expect(refusal(reply)).toEqual({
    status: 402,
    error: 'credit_exhausted',
    message: expect.any(String) as string,
    requested: 30,
    shortfall: 5,
  });
  expect(service.sandbox.credits('nearlyOut')).toBe(25);
  expect((await service.get('/v1/companies?limit=25', 'nearlyOut')).status).toBe(200);
  expect(service.sandbox.credits('nearlyOut')).toBe(0);
});

test('Credits 4: companies already paid for stay readable when the balance is empty', async () => {
  const path = `/v1/companies/${service.hub().primaryDomain}`;
  service.sandbox.setKey('empty', { credits: 1 });
  expect((await service.get(path, 'empty')).status).toBe(200);
  expect((await service.get(path, 'empty')).status).toBe(200);
  expect((await service.get(`/v1/companies/${service.hub(1).primaryDomain}`, 'empty')).status).toBe(
    402,
  );
});

test('Credits charge company list: charges one credit per company on the page', async () => {
  await service.read('/v1/companies?limit=7', paged(company));
  expect(service.spent()).toBe(7);
  await service.get('/v1/companies?limit=7&page=2');
  expect(service.spent()).toBe(14);
});

test('Credits charge partner lists: charges one credit per partner company returned', async () => {
  const path = `/v1/companies/${service.hub().primaryDomain}/partnerships?limit=5`;
  expect((await service.read(path, partnerList)).data).toHaveLength(5);
  expect(service.spent()).toBe(5);
  service.sandbox.reset();
  const reverse = await service.read(
    `/v1/partnerships/${service.hub().primaryDomain}/companies?limit=6`,
    reverseList,
  );
  expect(reverse.data).toHaveLength(6);
  expect(service.spent()).toBe(6);
});

test('Credits charge graph: charges one credit per company node, except for the queried companies', async () => {
  const root = service.hub();
  const path = `/v1/companies/${root.primaryDomain}/partnerships/graph?depth=2&max_nodes=40`;
  expect((await service.read(path, companyGraph)).nodes).toHaveLength(40);
  expect(service.spent()).toBe(39);
  service.sandbox.reset();
  const pair = `/v1/partnerships/${root.primaryDomain}/${service.hub(1).primaryDomain}/graph`;
  const { nodes } = await service.read(`${pair}?max_nodes=20`, pairGraph);
  expect(service.spent()).toBe(nodes.length - 2);
});

test('Credits charge enrichment: charges resolved companies, but not their partners or unknown domains', async () => {
  const lonely = service.companies((_, partners) => partners === 0)[0]!;
  await service.post('/v1/enrich/partnerships', {
    domains: [service.hub().primaryDomain, lonely.primaryDomain, 'unlisted.example'],
  });
  expect(service.spent()).toBe(2);
});

test('Credits charge technology and vendor lists: charges in proportion to the limit', async () => {
  const technology = '/v1/technologies/google-analytics/companies';
  await service.read(`${technology}?limit=10`, technologyUsers);
  expect(service.spent()).toBe(10);
  await service.read(`${technology}?limit=40`, technologyUsers);
  expect(service.spent()).toBe(40);
  service.sandbox.reset();
  const vendor = await service.read('/v1/vendors/google.com/companies?limit=70', vendorUsers);
  expect(vendor.data).toHaveLength(70);
  expect(service.spent()).toBe(70);
});

test('Credits charge pair and shared partners: charges companies returned, but not context companies', async () => {
  const path = `/v1/partnerships/${service.sharingPair()}`;
  await service.get(path);
  expect(service.spent()).toBe(2);
  service.sandbox.reset();
  const { data } = await service.read(`${path}/shared-partners`, sharedPartnerList);
  expect(data.length).toBeGreaterThan(1);
  expect(service.spent()).toBe(data.length);
});

test('Credits charge nothing: searches, failed lookups, jobs, flags and list reads are free', async () => {
  await service.get('/v1/technologies?q=a&limit=100');
  await service.get('/v1/companies/unlisted.example');
  await service.post('/v1/companies/refresh', { domains: [service.hub().primaryDomain] });
  await service.post(`/v1/companies/${service.hub().primaryDomain}/flags`);
  await service.get('/v1/lists/filter-fields');
  await service.get('/v1/lists');
  expect(service.spent()).toBe(0);
});
