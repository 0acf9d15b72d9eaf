/** Tests what a client and other clients with the same key do after a 429. */
import { Client } from '../../../src/client/client';
import { RateLimitError } from '../../../src/client/errors';
import { formatMoment } from '../../../src/client/format-moment';
import { failedCall, readCall, serviceWith } from './support/client';
import { inTurn, json, TestService, text } from './support/service';
import { times } from './support/limited-service';
import { mostInAnyWindow, QUICK, until } from './support/timing';

afterAll(TestService.stopAll);

const good = json({ name: 'Acme' });

const throttled = (seconds: number, headers: Record<string, string> = {}) =>
  json({ error: 'operational_rate_limit_exceeded', message: 'Slow down.' }, 429, {
    'Retry-After': String(seconds),
    ...headers,
  });

describe('429', () => {
  it('does not count twenty 429s in a row as failed attempts', async () => {
    const storm = times(20, () => throttled(0.01));
    const { service, client } = await serviceWith(inTurn(...storm, good));
    expect(await client.request(readCall())).toEqual({ name: 'Acme' });
    expect(service.received).toHaveLength(21);
  });

  it('still counts attempts that fail before and after a 429', async () => {
    const broken = json({}, 500);
    const { failure, received } = await failedCall(
      inTurn(broken, broken, throttled(0.01), throttled(0.01), broken, broken, good),
    );
    expect(failure.name).toBe('ServerError');
    expect(received).toHaveLength(6);
  });

  it.each([
    ['429 with Retry-After', throttled(0.3)],
    ['429 with retry_after_seconds', json({ error: 'x', retry_after_seconds: 0.3 }, 429)],
    ['503 with Retry-After', text('', 503, { 'Retry-After': '0.3' })],
  ])('does not retry before the requested time after a %s', async (_name, answering) => {
    const { service, client } = await serviceWith(inTurn(answering, good));
    await client.request(readCall());
    const [first, second] = service.received;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(299);
  });

  it('fails immediately and names the reset time when the wait is longer than the run allows', async () => {
    const before = Date.now();
    const { failure, received } = await failedCall(throttled(3_600));
    expect(failure).toBeInstanceOf(RateLimitError);
    expect(failure).toMatchObject({ code: 'operational_rate_limit_exceeded', status: 429 });
    const resetsAt = Date.parse(String(failure.details.resets_at));
    expect(resetsAt - before).toBeGreaterThanOrEqual(3_600_000);
    expect(resetsAt - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(failure.message).toContain(`and resets ${formatMoment(resetsAt)}, longer`);
    expect(failure.hint).toMatch(/Max Rate Limit Wait/);
    expect(received).toHaveLength(1);
  });

  it('names the daily limit when no requests are left for the day', async () => {
    const { failure } = await failedCall(throttled(40_000, { 'X-RateLimit-Remaining-Day': '0' }));
    expect(failure.message).toMatch(/^The daily limit/);
  });

  it('limits later requests to the limit per minute that the 429 states', async () => {
    const { service, client } = await serviceWith(
      inTurn(throttled(0.01, { 'X-RateLimit-Limit': '5' }), good),
      { windowMs: 250 },
    );
    await Promise.all(times(12, async () => await client.request(readCall())));
    const arrivals = service.received.map(({ at }) => at);
    const late = arrivals.filter((at) => at > arrivals[0]! + 250);
    expect(late.length).toBeGreaterThan(0);
    expect(mostInAnyWindow(late, 250)).toBeLessThanOrEqual(5);
  });
});

describe('the shared state of a key', () => {
  it('makes all clients of the key wait after one 429', async () => {
    const { service, settings, client } = await serviceWith(inTurn(throttled(0.5), good));
    const other = Client.open(settings, QUICK);
    const first = client.request(readCall({ path: '/v1/first' }));
    await until(() => service.received.length > 0);
    // Leaves time for the response to arrive.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([first, other.request(readCall({ path: '/v1/second' }))]);
    const [refused, ...later] = service.received;
    expect(later).toHaveLength(2);
    for (const { at } of later) expect(at - refused!.at).toBeGreaterThanOrEqual(499);
  });
});
