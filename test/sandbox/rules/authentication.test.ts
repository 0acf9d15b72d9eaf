import { ENDPOINTS } from '../../../sandbox/routes';
import type { Endpoint } from '../../../sandbox/endpoint';
import { refused, send, useSandbox } from '../harness';

const service = useSandbox();

const pathOf = ({ path }: Endpoint): string => path.replace(/\{\w+\}/g, 'x');
const call = (endpoint: Endpoint, key: Parameters<typeof service.get>[1]) =>
  send(service.sandbox.baseUrl, endpoint.method, pathOf(endpoint), {
    key: key ?? null,
    ...(endpoint.body === null ? {} : { body: {} }),
  });

test('Authentication 1: every endpoint except /v1/open requires a known key', async () => {
  for (const endpoint of ENDPOINTS.filter(({ key }) => key !== 'none')) {
    expect((await call(endpoint, null)).status).toBe(401);
  }
  const wrong = await fetch(`${service.sandbox.baseUrl}/v1/technologies?q=a`, {
    headers: { 'x-api-key': 'ci_user_nobody' },
  });
  expect(wrong.status).toBe(401);
});

test('Authentication 2: list endpoints return 403 for an organization key', async () => {
  const lists = ENDPOINTS.filter(({ path }) => path.startsWith('/v1/lists'));
  expect(lists.length).toBeGreaterThanOrEqual(18);
  for (const endpoint of lists) {
    expect(refused(await call(endpoint, 'organization'))).toBe('403 user_credential_required');
  }
});

test('Authentication 3: enrichment accepts user and organization keys', async () => {
  const body = { domains: [service.hub().primaryDomain] };
  for (const key of ['user', 'organization'] as const) {
    expect((await service.post('/v1/enrich/partnerships', body, key)).status).toBe(200);
  }
});

test('Authentication 4: open endpoints need no key', async () => {
  for (const endpoint of ENDPOINTS.filter(({ key }) => key === 'none')) {
    expect(endpoint.path.startsWith('/v1/open/')).toBe(true);
    expect((await call(endpoint, null)).status).toBe(200);
  }
});

test('Endpoints: the 34 endpoints of the API spec are defined, each once', () => {
  const shown = ENDPOINTS.filter(({ key }) => key !== 'none');
  expect(shown).toHaveLength(34);
  expect(new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).size).toBe(
    ENDPOINTS.length,
  );
});
