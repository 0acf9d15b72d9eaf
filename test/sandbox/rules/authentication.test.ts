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
  const headers = { 'x-api-key': 'ci_user_nobody' };
  const wrong = await fetch(`${service.sandbox.baseUrl}/v1/technologies?q=a`, { headers });
  expect(wrong.status).toBe(401);
});

test('Authentication 2: list endpoints return 403 for an organization key', async () => {
  const lists = ENDPOINTS.filter(({ path }) => path.startsWith('/v1/lists'));
  expect(lists.length).toBeGreaterThanOrEqual(18);
  for (const endpoint of lists) {
    expect(refused(await call(endpoint, 'organization'))).toBe('403 user_credential_required');
  }
});

test('Authentication 4: open endpoints need no key', async () => {
  for (const endpoint of ENDPOINTS.filter(({ key }) => key === 'none')) {
    expect(endpoint.path.startsWith('/v1/open/')).toBe(true);
    expect((await call(endpoint, null)).status).toBe(200);
  }
});
