import type { FaultPreset } from '../../sandbox/faults/presets';
import type { FaultRequest } from '../../sandbox';
import { enrichmentResponse } from '../../sandbox/schemas/enrichment';
import { ok, refusal, send, useSandbox } from './harness';

const service = useSandbox({ reportSize: 10 });
const enrich = (domain = service.hub().primaryDomain) =>
  service.post('/v1/enrich/partnerships', { domains: [domain] });
const fault = (request: FaultRequest) => service.sandbox.addFault(request);
const control = (method: string, path: string, body?: unknown) =>
  send(service.sandbox.baseUrl, method, `/__control${path}`, { body, key: null });

/** Presets that leave the client without a whole response, and whether the request was processed. */
const BREAKING = { resetBefore: false, neverAnswer: false, resetAfter: true, cutConnection: true };
/** Status of each preset that replaces the response, as the client receives it. */
type Replacing = Exclude<
  FaultPreset,
  keyof typeof BREAKING | 'drip' | 'truncatedJson' | 'setField'
>;
const REPLACED: Record<Replacing, number> = {
  html200: 200,
  html500: 500,
  html502: 502,
  unavailable: 503,
  redirect: 302,
  rateLimit: 429,
  creditExhausted: 402,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  invalidDefinition: 422,
  errorShape: 409,
};

test.each(Object.entries(REPLACED))('%s responds with %i, free of charge', async (name, status) => {
  const preset = name as FaultPreset;
  fault({ preset, options: { seconds: 7, status: 409, code: 'odd' } });
  const reply = await enrich();
  expect(reply.status).toBe(status);
  const waits = status === 429 || status === 503;
  expect(reply.headers.get('retry-after')).toBe(waits ? '7' : null);
  const type = reply.headers.get('content-type');
  if (name.startsWith('html') || status === 503) expect(type).toContain('text/html');
  else if (status !== 302) expect(refusal(reply).error).toEqual(expect.any(String));
  if (preset === 'notFound' || preset === 'errorShape') expect(refusal(reply).error).toBe('odd');
  expect(service.spent()).toBe(0);
  expect((await enrich()).status).toBe(200);
});

test.each(Object.entries(BREAKING))(
  '%s lets the client fail, and charges only for a processed request: %s',
  async (name, isProcessed) => {
    fault({ preset: name as FaultPreset });
    const { baseUrl, keys } = service.sandbox;
    const call = fetch(`${baseUrl}/v1/companies?limit=1`, {
      headers: { 'x-api-key': keys.user },
      signal: AbortSignal.timeout(300),
    }).then((response) => response.text());
    await expect(call).rejects.toThrow(name === 'neverAnswer' ? /timeout/i : undefined);
    expect(service.spent()).toBe(isProcessed ? 1 : 0);
    const status = name === 'cutConnection' ? '200' : 'none';
    expect(service.sandbox.report().byStatus).toEqual({ [status]: 1 });
  },
);

test('drip, truncatedJson and setField change only the transport or the named field', async () => {
  const healthy = ok(await enrich(), enrichmentResponse);
  fault({ preset: 'drip', options: { everyMs: 1 } });
  expect(ok(await enrich('a.example'), enrichmentResponse).domains_found).toBe(0);
  fault({ preset: 'truncatedJson' });
  const { status, text } = await enrich();
  expect(status).toBe(200);
  expect(JSON.stringify(healthy).startsWith(text)).toBe(true);
  expect(text.length).toBeLessThan(JSON.stringify(healthy).length);
  fault({ preset: 'setField', options: { field: 'partnerships', value: null } });
  const [result] = healthy.results;
  expect(JSON.parse((await enrich()).text)).toEqual({
    ...healthy,
    results: [{ ...result, partnerships: null }],
  });
});

test.each([
  [undefined, [500, 200, 200, 200]],
  [{ nth: 3 }, [200, 200, 500, 200]],
  [{ from: 2, to: 3 }, [200, 500, 500, 200]],
  ['every', [500, 500, 500, 500]],
] as const)('a fault with when %j hits %j', async (when, expected) => {
  fault({ preset: 'html500', when });
  const seen = [];
  for (let call = 0; call < 4; call += 1) seen.push((await enrich()).status);
  expect(seen).toEqual(expected);
});

test('applies a fault only to requests that match its method, path, key and body text', async () => {
  const [one, two] = [service.hub(0).primaryDomain, service.hub(1).primaryDomain];
  fault({ preset: 'html500', when: 'every', match: { bodyIncludes: one } });
  fault({ preset: 'html502', when: 'every', match: { method: 'GET', path: '/v1/lists*' } });
  fault({ preset: 'unavailable', when: 'every', match: { key: 'colleague' } });
  expect((await enrich(one)).status).toBe(500);
  expect((await enrich(two)).status).toBe(200);
  expect((await service.get('/v1/lists/filter-fields')).status).toBe(502);
  expect((await service.get('/v1/technologies?q=a')).status).toBe(200);
  expect((await service.get('/v1/technologies?q=a', 'colleague')).status).toBe(503);
});

test('reports sums per key, the latest requests, the peak and the connections, but no API key', async () => {
  await enrich('unlisted.example');
  await service.get('/v1/companies?limit=100', 'nearlyOut');
  service.sandbox.setLatency(100);
  await Promise.all(Array.from({ length: 12 }, () => service.get('/v1/companies?limit=1')));
  service.sandbox.setLatency(0);
  expect((await control('GET', '/report')).text).not.toContain(service.sandbox.keys.user);
  const report = service.sandbox.report();
  expect(report).toMatchObject({
    requests: 14,
    charged: 1,
    domains: 1,
    byStatus: { '200': 13, '402': 1 },
    byKey: { user: { requests: 13, charged: 1 }, nearlyOut: { requests: 1, charged: 0 } },
    recent: Array(10).fill(
      expect.objectContaining({ method: 'GET', path: '/v1/companies?limit=1' }),
    ) as unknown,
  });
  expect(report.peakConcurrency).toBeGreaterThan(3);
  expect(report.connections).toBeGreaterThan(3);
});

test('rejects and counts oversized bodies and malformed or overlong paths', async () => {
  await service.post('/v1/companies', { domains: ['x'.repeat(1_100_000)] });
  await service.get('/v1/companies/%ff');
  await service.get(`/v1/companies/${'x'.repeat(3000)}`);
  await service.get(`/v1/companies/${'x'.repeat(2000)}`);
  const { byStatus } = service.sandbox.report();
  expect(byStatus).toEqual({ '400': 1, '413': 1, '414': 1, '404': 1 });
});

test('control routes set faults, keys, latency and choices, which a reset restores', async () => {
  const json = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    JSON.parse((await control(method, path, body)).text);
  await json('POST', '/faults', { preset: 'html500', when: 'every' });
  expect((await enrich()).status).toBe(500);
  const key = { credits: 3, batchCeiling: 7, requestsPerMinute: 1 };
  expect(await json('PATCH', '/keys/user', key)).toMatchObject({ name: 'user', ...key });
  expect(await json('PUT', '/latency', { ms: 1 })).toEqual({ ms: 1 });
  const choices = { jobSecondsMore: 7, membersCharged: true };
  expect(await json('PATCH', '/choices', choices)).toMatchObject(choices);
  await service.post(`/v1/companies/${service.hub().primaryDomain}/flags`, undefined, 'colleague');

  expect(await json('POST', '/reset')).toEqual({ reset: true });
  expect(await json('GET', '/report')).toMatchObject({ requests: 0, byKey: {}, recent: [] });
  expect(await json('GET', '/flags')).toEqual([]);
  expect(service.sandbox.credits('user')).toBe(1_000_000);
  for (let call = 0; call < 2; call += 1) expect((await enrich()).status).toBe(200);
  expect(await json('PATCH', '/choices', {})).toMatchObject({ membersCharged: false });
});
