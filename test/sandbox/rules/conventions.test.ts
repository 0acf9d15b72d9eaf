import { z } from 'zod/v4';
import { pagination } from '../../../sandbox/schemas/common';
import { ok, useSandbox } from '../harness';

const service = useSandbox();

test('Conventions 1: responses are JSON, and a request body that is not JSON is rejected', async () => {
  const reply = await service.get('/v1/technologies?q=a');
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);

  const post = (body: string, type: string) =>
    fetch(`${service.sandbox.baseUrl}/v1/companies`, {
      method: 'POST',
      headers: { 'x-api-key': service.sandbox.keys.user, 'content-type': type },
      body,
    });
  expect((await post('{"domains":[', 'application/json')).status).toBe(400);
  expect((await post('domains=a.com', 'application/x-www-form-urlencoded')).status).toBe(415);
});

test('Conventions 3: every path with an identifier accepts a slug, the main domain or another domain', async () => {
  const known = service.companies(
    (one, partners) => one.slug !== null && !!one.otherDomains?.length && partners > 0,
  )[0]!;
  const partners = service.partnersOf(known);
  const other = service.companies(({ id }) => partners.has(id))[0]!.primaryDomain;
  for (const identifier of [
    known.slug!,
    known.otherDomains![0]!,
    known.primaryDomain.toUpperCase(),
  ]) {
    for (const path of [
      `/v1/companies/${identifier}/partnerships`,
      `/v1/companies/${identifier}/partnerships/graph`,
      `/v1/partnerships/${identifier}/${other}`,
      `/v1/partnerships/${other}/${identifier}`,
      `/v1/partnerships/${other}/${identifier}/shared-partners`,
      `/v1/partnerships/${identifier}/${other}/graph`,
    ]) {
      expect([path, (await service.get(path)).status]).toEqual([path, 200]);
    }
    expect((await service.post(`/v1/companies/${identifier}/flags`)).status).toBe(201);
  }
  expect(new Set(service.sandbox.flags().map((flag) => flag.companyId))).toEqual(
    new Set([known.id]),
  );
});

test('Conventions 4: next_url is absolute and keeps every query parameter on every paginated endpoint', async () => {
  const hub = service.hub().primaryDomain;
  for (const [path, query] of [
    ['/v1/companies', 'q=a&partner_count_min=1&sort=-name&include=firmographics&limit=1&page=2'],
    ['/v1/technologies', 'q=a&limit=1'],
    ['/v1/technologies/shopify/companies', 'include=firmographics&limit=1'],
    ['/v1/vendors/google.com/companies', 'include=firmographics&limit=1'],
    [
      `/v1/companies/${hub}/partnerships`,
      'partnership_types=channel,generic&sort=observation_count&limit=1',
    ],
    [`/v1/partnerships/${hub}/companies`, 'include=firmographics&limit=1'],
    [`/v1/partnerships/${service.pairPath()}/shared-partners`, 'limit=1'],
  ] as const) {
    const reply = await service.get(`${path}?${query}`);
    const { pagination: shown } = ok(reply, z.looseObject({ pagination }));
    const next = new URL(shown.next_url!);
    expect([next.origin, next.pathname]).toEqual([service.sandbox.baseUrl, path]);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      ...Object.fromEntries(new URLSearchParams(query)),
      page: String(shown.page + 1),
    });
  }
});
