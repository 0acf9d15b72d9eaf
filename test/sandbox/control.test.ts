/** Tests the control routes: report, faults, keys, choices, clock, reset. */
import { Agent, request } from 'node:http';
import { z } from 'zod/v4';
import { send, useSandbox } from './harness';

const service = useSandbox({ reportSize: 10 });

const control = (method: string, path: string, body?: unknown) =>
  send(service.sandbox.baseUrl, method, `/__control${path}`, { body, key: null });
const json = async (method: string, path: string, body?: unknown): Promise<unknown> =>
  JSON.parse((await control(method, path, body)).text);

test('reports requests, charges and domains in total, per key and per endpoint', async () => {
  const domains = [service.hub(0).primaryDomain, 'unlisted.example'];
  await service.post('/v1/enrich/partnerships', { domains });
  await service.get('/v1/companies?limit=100', 'nearlyOut');
  await service.get('/v1/nowhere');
  expect(await json('GET', '/report')).toMatchObject({
    requests: 3,
    charged: 1,
    domains: 2,
    byStatus: { '200': 1, '402': 1, '404': 1 },
    byKey: { user: { requests: 1, charged: 1 }, nearlyOut: { requests: 1, charged: 0 } },
    byEndpoint: { 'POST /v1/enrich/partnerships': { requests: 1, domains: 2 } },
    recent: [
      { number: 1, method: 'POST', key: 'user', domains: 2, charged: 1, status: 200 },
      { number: 2, path: '/v1/companies?limit=100', status: 402 },
      { number: 3, endpoint: null, status: 404 },
    ],
  });
});

test('rejects and counts oversized bodies and malformed or overlong paths before any endpoint', async () => {
  await service.post('/v1/companies', { domains: ['x'.repeat(1_100_000)] });
  await service.get('/v1/companies/%ff');
  await service.get(`/v1/companies/${'x'.repeat(3000)}`);
  await service.get(`/v1/companies/${'x'.repeat(2000)}`);
  expect(service.sandbox.report()).toMatchObject({
    byStatus: { '400': 1, '413': 1, '414': 1, '404': 1 },
    byEndpoint: { '(unknown)': { requests: 3 } },
  });
});

test('reports only the latest requests and never an API key', async () => {
  for (let call = 0; call < 25; call += 1) await service.get('/v1/technologies?q=zzz');
  const reply = await control('GET', '/report');
  expect(reply.text).not.toContain(service.sandbox.keys.user);
  const { requests, recent } = service.sandbox.report();
  expect(requests).toBe(25);
  expect(recent.map((entry) => entry.number)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
});

test('reports the peak number of concurrent requests and the number of connections', async () => {
  service.sandbox.setLatency(200);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const call = () =>
    new Promise<void>((resolve, reject) => {
      request(
        `${service.sandbox.baseUrl}/v1/technologies?q=zzz`,
        { agent, headers: { 'x-api-key': service.sandbox.keys.user } },
        (response) => response.resume().on('end', resolve),
      )
        .on('error', reject)
        .end();
    });
  await Promise.all(Array.from({ length: 8 }, call));
  agent.destroy();
  const report = service.sandbox.report();
  expect(report.peakConcurrency).toBe(4);
  expect(report.connections).toBe(4);
});

test('sets faults, latency, keys, choices and the clock over HTTP', async () => {
  const added = await control('POST', '/faults', { preset: 'html500', match: { key: 'user' } });
  expect(added.status).toBe(201);
  expect((await service.get('/v1/technologies?q=zzz')).status).toBe(500);
  expect(await json('GET', '/faults')).toMatchObject([{ name: 'html500', seen: 1, hit: 1 }]);
  expect(await json('DELETE', '/faults')).toEqual({ cleared: true });
  expect(await json('PUT', '/latency', { ms: 1 })).toEqual({ ms: 1 });
  const key = { credits: 3, batchCeiling: 7 };
  expect(await json('PATCH', '/keys/nearlyOut', key)).toMatchObject({ name: 'nearlyOut', ...key });
  expect(await json('PATCH', '/choices', { jobSecondsMore: 7 })).toMatchObject({
    jobSecondsMore: 7,
    membersCharged: false,
  });
  expect(JSON.parse((await service.get('/v1/lists')).text)).toHaveLength(3);
  const { now } = z
    .object({ now: z.iso.datetime() })
    .parse(await json('POST', '/clock', { seconds: 86_400 }));
  expect(Date.parse(now)).toBeGreaterThan(Date.now() + 86_000_000);
});

test('restores the initial state on reset', async () => {
  await control('POST', '/faults', { preset: 'html500', when: 'every' });
  await control('PATCH', '/keys/user', { credits: 1, requestsPerMinute: 1 });
  await control('PATCH', '/choices', { errorShape: 'detail' });
  await service.get('/v1/technologies?q=zzz');
  expect(await json('POST', '/reset')).toEqual({ reset: true });
  expect(await json('GET', '/report')).toMatchObject({ requests: 0, byKey: {}, recent: [] });
  expect(service.sandbox.credits('user')).toBe(1_000_000);
  await service.post(`/v1/companies/${service.hub().primaryDomain}/flags`);
  expect(await json('GET', '/flags')).toHaveLength(1);
  await json('POST', '/reset');
  expect(await json('GET', '/flags')).toEqual([]);
});

test('returns 400 or 404 for an invalid control request', async () => {
  for (const [status, method, path, body] of [
    [400, 'POST', '/faults', {}],
    [400, 'POST', '/faults', { preset: 'no-such-preset' }],
    [400, 'PATCH', '/keys/user', { batchCeiling: 1000 }],
    [400, 'PUT', '/latency', { ms: -1 }],
    [400, 'PATCH', '/choices', { errorShape: 'round' }],
    [404, 'PATCH', '/keys/nobody', {}],
  ] as const) {
    expect((await control(method, path, body)).status).toBe(status);
  }
});
