import { refusal, useSandbox } from '../harness';

/** In the middle of a minute and of a day. The service's clock stands still unless a test moves it. */
const NOON = Date.UTC(2026, 0, 15, 12, 0, 30);

const service = useSandbox({ now: () => NOON });
const free = '/v1/technologies?q=zzz';

const headersOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith('x-ratelimit') || name === 'retry-after'),
  );

const burst = async (count: number, key: 'user' | 'colleague' = 'user'): Promise<number> => {
  let refused = 0;
  for (let sent = 0; sent < count; sent += 50) {
    const replies = await Promise.all(
      Array.from({ length: Math.min(50, count - sent) }, () => service.get(free, key)),
    );
    refused += replies.filter((reply) => reply.status === 429).length;
  }
  return refused;
};

test('Rate limits 1: allows 600 requests per minute and 100,000 per day per key', async () => {
  expect(await burst(605)).toBe(5);
  expect(headersOf(await service.get(free))).toMatchObject({
    'x-ratelimit-limit': '600',
    'x-ratelimit-limit-day': '100000',
    'x-ratelimit-remaining-day': '99400',
  });
  expect(await burst(1, 'colleague')).toBe(0);
  service.sandbox.advance(30);
  expect(await burst(1)).toBe(0);
});

test('Rate limits 1: enforces the daily limit of a key until the next day', async () => {
  await burst(1);
  service.sandbox.setKey('user', { requestsPerMinute: 100, requestsPerDay: 3 });
  expect(await burst(3)).toBe(1);
  expect(headersOf(await service.get(free))).toMatchObject({
    'x-ratelimit-limit-day': '3',
    'x-ratelimit-remaining-day': '0',
    'x-ratelimit-remaining': '97',
    'retry-after': String(12 * 3600 - 30),
  });
  service.sandbox.advance(12 * 3600 - 30);
  expect(await burst(1)).toBe(0);
});

test('Rate limits 2 and 3: only a throttled response has rate-limit headers, and a matching body', async () => {
  expect(headersOf(await service.get(free))).toEqual({});
  service.sandbox.setKey('user', { requestsPerMinute: 2 });
  await burst(1);
  const reply = await service.get(free);
  expect(refusal(reply)).toEqual({
    status: 429,
    error: 'operational_rate_limit_exceeded',
    message: expect.any(String) as string,
    retry_after_seconds: 30,
  });
  expect(headersOf(reply)).toEqual({
    'retry-after': '30',
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String((NOON + 30_000) / 1000),
    'x-ratelimit-limit-day': '100000',
    'x-ratelimit-remaining-day': '99998',
    'x-ratelimit-reset-day': String(Date.UTC(2026, 0, 16) / 1000),
  });
});

test("Rate limits 3: resets use the caller's time when the clock of the service was moved", async () => {
  service.sandbox.setKey('user', { requestsPerMinute: 1 });
  service.sandbox.advance(40);
  await burst(1);
  expect(headersOf(await service.get(free))).toMatchObject({
    'retry-after': '50',
    'x-ratelimit-reset': String(NOON / 1000 + 50),
  });
});

test('Rate limits 4: rate limits and credits are independent of each other', async () => {
  service.sandbox.setKey('user', { requestsPerMinute: 1 });
  await burst(1);
  expect((await service.get(`/v1/companies/${service.hub().primaryDomain}`)).status).toBe(429);
  expect(service.spent()).toBe(0);
  expect((await service.get('/v1/companies', 'empty')).status).toBe(402);
  expect((await service.get(free, 'empty')).status).toBe(200);
});

test('Rate limits 5: open endpoints are limited by client address, at a lower ceiling', async () => {
  const statuses: number[] = [];
  for (let call = 0; call < 61; call += 1) {
    statuses.push((await service.get('/v1/open/status', null)).status);
  }
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
  expect(await burst(1)).toBe(0);
});

describe('with sliding windows', () => {
  const sliding = useSandbox({ now: () => NOON, window: 'sliding' });

  test('Rate limits 1: never allows more requests than the limit in any 60 seconds', async () => {
    sliding.sandbox.setKey('user', { requestsPerMinute: 3 });
    const call = async () => (await sliding.get(free)).status;
    expect([await call(), await call()]).toEqual([200, 200]);
    sliding.sandbox.advance(40);
    expect([await call(), await call()]).toEqual([200, 429]);
    expect(headersOf(await sliding.get(free))).toMatchObject({ 'retry-after': '20' });
    sliding.sandbox.advance(20);
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429]);
  });
});
