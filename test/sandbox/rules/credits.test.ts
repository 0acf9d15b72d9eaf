import { refusal, useSandbox } from '../harness';

const service = useSandbox();
const GRAPH = 'depth=2&max_nodes=40';

test('Credits 2: a company is charged once to each organization, on any endpoint', async () => {
  const domain = service.hub().primaryDomain;
  for (const key of ['user', 'colleague', 'organization', 'otherOrganization'] as const) {
    await service.get(`/v1/companies/${domain}`, key);
  }
  await service.post('/v1/enrich/partnerships', { domains: [domain] });
  await service.post('/v1/companies', { domains: [domain] });
  expect([service.spent('user'), service.spent('otherOrganization')]).toEqual([1, 1]);
});

test('Credits 4, Enrichment 4: returns 402 without data or charge when the balance does not cover a call', async () => {
  const domains = service.companies(({ id }) => id <= 30).map((one) => one.primaryDomain);
  for (const reply of [
    await service.get('/v1/companies?limit=30', 'nearlyOut'),
    await service.post('/v1/enrich/partnerships', { domains }, 'nearlyOut'),
  ]) {
    expect(refusal(reply)).toEqual({
      status: 402,
      error: 'credit_exhausted',
      message: expect.any(String) as string,
      requested: 30,
      shortfall: 5,
    });
    expect(service.sandbox.credits('nearlyOut')).toBe(25);
  }
  // What is paid stays readable.
  for (let call = 0; call < 2; call += 1) {
    expect((await service.get('/v1/companies?limit=25', 'nearlyOut')).status).toBe(200);
    expect(service.sandbox.credits('nearlyOut')).toBe(0);
  }
});

test('Credits 1: each endpoint charges for the companies that it returns, and only for them', async () => {
  const [hub, other] = [service.hub(0).primaryDomain, service.hub(1).primaryDomain];
  const lonely = service.companies((_, partners) => partners === 0)[0]!.primaryDomain;
  const domains = [hub, lonely, 'unlisted.example'];
  const pair = service.pairPath();
  const gets: Array<[string, number]> = [
    [`/v1/companies/${hub}?include=technologies,firmographics`, 1],
    ['/v1/companies?limit=7&page=2', 7],
    [`/v1/companies/${hub}/partnerships?limit=5`, 5],
    [`/v1/partnerships/${hub}/companies?limit=6`, 6],
    [`/v1/companies/${hub}/partnerships/graph?${GRAPH}`, 39],
    [`/v1/partnerships/${hub}/${other}/graph?max_nodes=20`, 18],
    ['/v1/technologies/google-analytics/companies?limit=40', 40],
    ['/v1/vendors/google.com/companies?limit=70', 70],
    [`/v1/partnerships/${pair}`, 2],
    [`/v1/partnerships/${pair}/shared-partners`, service.sharedBy(...service.pair(true)).length],
    ['/v1/technologies?q=a&limit=100', 0],
    ['/v1/companies/unlisted.example', 0],
    ['/v1/lists', 0],
    ['/v1/lists/filter-fields', 0],
    ['/v1/lists/lst_000001/members', 0],
  ];
  const posts: Array<[string, number, ...include: string[]]> = [
    ['/v1/enrich/partnerships', 2],
    ['/v1/companies', 2],
    ['/v1/companies', 2 + service.partnersOf(service.hub()).size, 'partnerships'],
    ['/v1/companies/refresh', 0],
    [`/v1/companies/${hub}/flags`, 0],
  ];
  for (const [path, credits, ...include] of [...gets, ...posts]) {
    service.sandbox.reset();
    await (posts.some(([one]) => one === path)
      ? service.post(path, { domains, include })
      : service.get(path));
    expect([path, service.spent()]).toEqual([path, credits]);
  }
});
