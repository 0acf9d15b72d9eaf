/** Tests the faults that the local service can simulate. */
import http from 'node:http';
import type { FaultRequest } from '../../sandbox';
import { enrichmentResponse } from '../../sandbox/schemas/enrichment';
import { ok, refusal, useSandbox } from './harness';

const service = useSandbox();
const enrich = (domain = service.hub().primaryDomain) =>
  service.post('/v1/enrich/partnerships', { domains: [domain] });
const fault = (request: FaultRequest) => service.sandbox.addFault(request);
const fetchRaw = (signal?: AbortSignal) =>
  fetch(`${service.sandbox.baseUrl}/v1/technologies?q=a`, {
    headers: { 'x-api-key': service.sandbox.keys.user },
    signal: signal ?? null,
  });
const bodyOf = async (): Promise<unknown> => JSON.parse((await enrich()).text);

test('charges nothing when the connection is reset before processing', async () => {
  fault({ preset: 'resetBefore' });
  await expect(enrich()).rejects.toThrow();
  expect(service.spent()).toBe(0);
  expect((await enrich()).status).toBe(200);
  expect(service.sandbox.report().byStatus).toEqual({ none: 1, '200': 1 });
});

test('charges and creates, but sends no response, when the connection is reset after processing', async () => {
  fault({ preset: 'resetAfter', when: { next: 2 } });
  await expect(enrich()).rejects.toThrow();
  expect(service.spent()).toBe(1);
  const path = `/v1/companies/${service.hub().primaryDomain}/flags`;
  await expect(service.post(path)).rejects.toThrow();
  expect(service.sandbox.flags()).toHaveLength(1);
});

test('keeps a request open until the client times out with the preset neverAnswer', async () => {
  fault({ preset: 'neverAnswer' });
  await expect(fetchRaw(AbortSignal.timeout(80))).rejects.toThrow(/timeout/i);
});

test('sends a complete response one byte at a time with the drip fault', async () => {
  fault({ fault: { kind: 'drip', everyMs: 1 } });
  // The machine decides how many bytes arrive together, so the test counts the bytes that are sent.
  const sent = jest.spyOn(http.ServerResponse.prototype, 'write');
  const { text } = await service.get('/v1/technologies?q=zzz');
  expect(JSON.parse(text)).toMatchObject({ technologies: [] });
  expect(sent.mock.calls.map(([bytes]) => String(bytes))).toEqual(Array.from(text));
  sent.mockRestore();
});

test.each([
  ['html500', 500, 'text/html', null],
  ['html502', 502, 'text/html', null],
  ['unavailable', 503, 'text/html', null],
  ['unavailableRetryAfter', 503, 'text/html', '7'],
  ['rateLimit', 429, 'application/json', '7'],
  ['rateLimitBodyOnly', 429, 'application/json', null],
  ['creditExhausted', 402, 'application/json', null],
  ['unauthorized', 401, 'application/json', null],
  ['organizationKey', 403, 'application/json', null],
  ['forbidden', 403, 'application/json', null],
  ['notFound', 404, 'application/json', null],
  ['batchTooLarge', 400, 'application/json', null],
  ['conflict', 409, 'application/json', null],
  ['invalidDefinition', 422, 'application/json', null],
  ['html200', 200, 'text/html', null],
  ['null200', 200, 'application/json', null],
  ['errorShape', 400, 'application/json', null],
  ['errorHtml', 400, 'text/html', null],
] as const)('preset %s responds with %i and type %s', async (preset, status, type, retryAfter) => {
  fault({ preset, options: { seconds: 7 } });
  const reply = await enrich();
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toContain(type);
  expect(reply.headers.get('retry-after')).toBe(retryAfter);
  expect(service.spent()).toBe(0);
});

test('sends Retry-After as a date, on as many responses as requested', async () => {
  fault({ preset: 'rateLimitHttpDate', options: { seconds: 30 }, when: { next: 3 } });
  const asked = Date.now();
  const reply = await enrich();
  const until = Date.parse(reply.headers.get('retry-after')!);
  // An HTTP date has no milliseconds.
  expect(until).toBeGreaterThan(asked + 29_000);
  expect(until).toBeLessThanOrEqual(Date.now() + 30_000);
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await enrich()).status);
  expect(statuses).toEqual([429, 429, 200]);
});

test('returns an error with any code, or without a body', async () => {
  fault({ preset: 'errorShape', options: { status: 400, code: 'batch_too_large' } });
  expect(refusal(await enrich())).toMatchObject({ status: 400, error: 'batch_too_large' });
  fault({ preset: 'errorEmpty', options: { status: 404 } });
  expect(await enrich()).toMatchObject({ status: 404, text: '' });
});

test('cuts the connection or returns truncated JSON, and charges the company once', async () => {
  fault({ preset: 'cutConnection' });
  await expect(enrich()).rejects.toThrow();
  fault({ preset: 'truncatedJson' });
  const reply = await enrich();
  expect(reply.status).toBe(200);
  expect(() => JSON.parse(reply.text) as unknown).toThrow();
  expect(service.spent()).toBe(1);
});

test('changes field types, adds unknown fields or sets a field to a given value', async () => {
  const healthy = ok(await enrich(), enrichmentResponse);
  const count = healthy.results[0]!.partnership_count;
  fault({ preset: 'wrongTypes' });
  expect(await bodyOf()).toMatchObject({
    results: [{ partnership_count: String(count), company_name: 42 }],
  });
  fault({ preset: 'extraFields' });
  expect(await bodyOf()).toMatchObject({
    ...healthy,
    x_unknown: expect.anything() as unknown,
  });
  fault({ fault: { kind: 'setField', field: 'partnerships', value: null } });
  expect(await bodyOf()).toMatchObject({ results: [{ partnerships: null }] });
});

test('sends a huge body and a gzip bomb of the requested size', async () => {
  const size = async (): Promise<number> => {
    const response = await fetchRaw();
    let bytes = 0;
    for await (const chunk of response.body!) bytes += (chunk as Uint8Array).length;
    return bytes;
  };
  fault({ preset: 'hugeBody', options: { bytes: 5_000_000 } });
  expect(await size()).toBe(5_000_014);
  fault({ preset: 'gzipBomb', options: { bytes: 5 * 1_048_576 } });
  expect(await size()).toBe(5 * 1_048_576 + 14);
});

test('redirects to another host with the given status', async () => {
  fault({ preset: 'redirect', options: { to: 'http://elsewhere.example/x', status: 307 } });
  const { status, headers } = await enrich();
  expect([status, headers.get('location')]).toEqual([307, 'http://elsewhere.example/x']);
});

test('applies a fault to the first, nth or next requests, to a range, or to every request', async () => {
  const statuses = async (when: FaultRequest['when']): Promise<number[]> => {
    service.sandbox.clearFaults();
    fault({ preset: 'html500', ...(when === undefined ? {} : { when }) });
    const seen = [];
    for (let call = 0; call < 4; call += 1) seen.push((await enrich()).status);
    return seen;
  };
  expect(await statuses(undefined)).toEqual([500, 200, 200, 200]);
  expect(await statuses({ nth: 3 })).toEqual([200, 200, 500, 200]);
  expect(await statuses({ next: 2 })).toEqual([500, 500, 200, 200]);
  expect(await statuses({ from: 2, to: 3 })).toEqual([200, 500, 500, 200]);
  expect(await statuses('every')).toEqual([500, 500, 500, 500]);
});

test('applies a fault only to requests that match its method, path, key or body text', async () => {
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

test('delays a response by the set latency', async () => {
  service.sandbox.setLatency(60);
  const start = performance.now();
  await enrich();
  expect(performance.now() - start).toBeGreaterThanOrEqual(55);
});
