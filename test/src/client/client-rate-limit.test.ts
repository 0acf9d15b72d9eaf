import { Client } from '../../../src/client/client';
import { RateLimitError } from '../../../src/client/errors';
import { clientFor, failureOf, readCall, settingsFor } from './support/client';
import { inTurn, json, TestService, type Received } from './support/service';
import { mostInAnyWindow, QUICK } from './support/timing';

afterAll(async () => {
  await TestService.stopAll();
});

const good = json({ name: 'Acme' });

const throttled = (seconds: number, headers: Record<string, string> = {}) =>
  json({ error: 'operational_rate_limit_exceeded', message: 'Slow down.' }, 429, {
    'Retry-After': String(seconds),
    ...headers,
  });

describe('429', () => {
  it('twenty in a row cost no attempt: there is one result', async () => {
    const storm = Array.from({ length: 20 }, () => throttled(0.01));
    const service = await TestService.start(inTurn(...storm, good));
    const client = await clientFor(service);
    expect(await client.request(readCall())).toEqual({ name: 'Acme' });
    expect(service.received).toHaveLength(21);
  });

  it('attempts that failed before and after it are counted all the same', async () => {
    const broken = json({}, 500);
    const service = await TestService.start(
      inTurn(broken, broken, throttled(0.01), throttled(0.01), broken, broken, good),
    );
    const error = await failureOf((await clientFor(service)).request(readCall()));
    expect(error.name).toBe('ServerError');
    expect(service.received).toHaveLength(6);
  });

  it.each([
    ['Retry-After', throttled(0.3)],
    [
      'retry_after_seconds',
      json({ error: 'operational_rate_limit_exceeded', retry_after_seconds: 0.3 }, 429),
    ],
  ])('is waited out as long as %s says', async (_name, answering) => {
    const service = await TestService.start(inTurn(answering, good));
    await (await clientFor(service)).request(readCall());
    const [first, second] = service.received;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(299);
  });

  it('a "now" that never ends fails some time', async () => {
    const service = await TestService.start(throttled(0));
    const client = await clientFor(service, { maxRateLimitWaitMs: 100 });
    expect(await failureOf(client.request(readCall()))).toBeInstanceOf(RateLimitError);
  });

  it('a wait longer than the run allows fails at once and says when it ends', async () => {
    const service = await TestService.start(throttled(3_600));
    const before = Date.now();
    const error = await failureOf((await clientFor(service)).request(readCall()));
    if (!(error instanceof RateLimitError)) throw error;
    expect(error).toMatchObject({ code: 'operational_rate_limit_exceeded', status: 429 });
    const resetsAt = Date.parse(String(error.details.resets_at));
    expect(resetsAt - before).toBeGreaterThanOrEqual(3_600_000);
    expect(resetsAt - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(error.message).toContain(String(error.details.resets_at));
    expect(error.hint).toMatch(/Max Rate Limit Wait/);
    expect(service.received).toHaveLength(1);
  });

  it('the message tells the daily limit from the other', async () => {
    const daily = throttled(40_000, { 'X-RateLimit-Remaining-Day': '0' });
    const service = await TestService.start(daily);
    const error = await failureOf((await clientFor(service)).request(readCall()));
    expect(error.message).toMatch(/^The daily limit/);
  });

  it.each(['9'.repeat(20), '9'.repeat(400)])('an absurd wait is only too long', async (seconds) => {
    const service = await TestService.start(json({}, 429, { 'Retry-After': seconds }));
    const error = await failureOf((await clientFor(service)).request(readCall()));
    expect(error).toBeInstanceOf(RateLimitError);
  });

  it('the limit that the service names is kept from then on', async () => {
    const service = await TestService.start(
      inTurn(throttled(0.01, { 'X-RateLimit-Limit': '5' }), good),
    );
    const client = await clientFor(service, { windowMs: 250 });
    await Promise.all(Array.from({ length: 12 }, async () => await client.request(readCall())));
    const late = service.received.filter(({ at }) => at > service.received[0]!.at + 250);
    expect(late.length).toBeGreaterThan(0);
    expect(
      mostInAnyWindow(
        late.map(({ at }) => at),
        250,
      ),
    ).toBeLessThanOrEqual(5);
  });
});

describe('state of a key', () => {
  it('one 429 makes all clients of the same key wait', async () => {
    const service = await TestService.start(inTurn(throttled(0.5), good));
    const settings = settingsFor(service);
    const [one, other] = [await Client.open(settings, QUICK), await Client.open(settings, QUICK)];
    const first = one.request(readCall({ path: '/v1/first' }));
    while (service.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    // Time for the answer to arrive.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([first, other.request(readCall({ path: '/v1/second' }))]);
    const [refused, ...later] = service.received;
    expect(later).toHaveLength(2);
    for (const { at } of later) expect(at - refused!.at).toBeGreaterThanOrEqual(499);
  });

  it('other keys of the same service do not wait', async () => {
    const seen: string[] = [];
    const note = (name: string) => ({ read: () => seen.push(name) });
    const forKey = (apiKey: string) => (request: Received) =>
      request.headers['x-api-key'] === apiKey;
    const slow = settingsFor({ baseUrl: '' });
    const service = await TestService.start((request, response) => {
      const isSlow = forKey(slow.apiKey)(request);
      (isSlow && request.number === 1 ? throttled(0.8) : good)(request, response);
    });
    const { baseUrl } = service;
    const waiting = (await Client.open({ ...slow, baseUrl }, QUICK)).request(
      readCall(note('slow')),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await (await clientFor(service)).request(readCall(note('quick')));
    expect(seen).toEqual(['quick']);
    await waiting;
    expect(seen).toEqual(['quick', 'slow']);
  });

  it('all clients of a key share its limit', async () => {
    const service = await TestService.start(good);
    const settings = settingsFor(service, { requestsPerMinute: 6 });
    const timing = { ...QUICK, windowMs: 300 };
    const clients = await Promise.all(
      [1, 2, 3].map(async () => await Client.open(settings, timing)),
    );
    await Promise.all(
      Array.from(
        { length: 18 },
        async (_unused, index) => await clients[index % 3]!.request(readCall()),
      ),
    );
    expect(service.received).toHaveLength(18);
    expect(
      mostInAnyWindow(
        service.received.map(({ at }) => at),
        300,
      ),
    ).toBeLessThanOrEqual(6);
  });

  it('what was learned about batches is shared by key, not by address or service alone', async () => {
    const here = settingsFor({ baseUrl: 'http://here.test' });
    const first = await Client.open(here, QUICK);
    first.batchCeilings.set('/v1/companies', 25);
    const ceilingOf = async (settings: typeof here) =>
      (await Client.open(settings, QUICK)).batchCeilings.get('/v1/companies');
    expect(await ceilingOf(here)).toBe(25);
    expect(await ceilingOf({ ...here, baseUrl: 'http://there.test' })).toBeUndefined();
    expect(await ceilingOf({ ...here, apiKey: 'another' })).toBeUndefined();
    // Other keys have been used since; this one is still known.
    expect(await ceilingOf({ ...here, requestsPerMinute: 5 })).toBe(25);
  });
});
