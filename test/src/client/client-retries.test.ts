/** Tests which failures of a request the client retries, how often and when. */
import { gzipSync } from 'node:zlib';

import { Client } from '../../../src/client/client';
import { RateLimitError } from '../../../src/client/errors';
import { formatMoment } from '../../../src/client/values';
import { KeyLimiter } from '../../../src/client/limiter/key-limiter';
import {
  clientFor,
  effectCall,
  failedCall,
  failureOf,
  readCall,
  serviceWith,
} from './support/client';
import {
  deserted,
  inTurn,
  json,
  reset,
  silence,
  TestService,
  text,
  type Answering,
} from './support/service';
import { times } from './support/limited-service';
import { mostInAnyWindow, QUICK, until } from './support/timing';

afterAll(TestService.stopAll);

const good = json({ name: 'Acme' });

const cut: Answering = (request, response) => {
  response.writeHead(200, { 'content-length': 1_000 });
  response.write('{"name":', () => request.socket.destroy());
};

const TRANSIENT: ReadonlyArray<[string, Answering, string]> = [
  ['500', json({ error: 'internal', message: 'Oops' }, 500), 'ServerError'],
  ['502 as HTML', text('<h1>Bad Gateway</h1>', 502), 'ServerError'],
  ['503', text('', 503), 'ServerError'],
  ['408', text('', 408), 'ServiceError'],
  ['a reset', reset, 'ConnectionError'],
  ['a truncated response', cut, 'ConnectionError'],
  ['no response', silence, 'ConnectionError'],
  ['an HTML page', text('<html></html>'), 'InvalidResponseError'],
  ['truncated JSON', text('{"name"'), 'InvalidResponseError'],
];

/** Only for reads: for a call with an effect, a 202 is a result or a conflict. */
const NOT_YET: typeof TRANSIENT = [
  ['202, not ready', json({ status: 'materializing' }, 202), 'InvalidResponseError'],
];

const TOO_LARGE = { name: 'InvalidResponseError', code: 'response_too_large' };
/** 76 kB that would become 76 MB. */
const bomb: Answering = (_request, response) => {
  response.writeHead(200, { 'content-encoding': 'gzip' });
  response.end(gzipSync(Buffer.alloc(76 * 1024 * 1024, ' ')));
};

const IMPATIENT = { requestTimeoutMs: 250 };

describe('a repeatable call', () => {
  describe.each([...TRANSIENT, ...NOT_YET])('that ends with %s', (_what, bad, name) => {
    it('is sent four times', async () => {
      const { failure, received } = await failedCall(bad, readCall(), IMPATIENT);
      expect(failure.name).toBe(name);
      expect(received).toHaveLength(4);
    });

    it('returns the result when the fourth attempt succeeds', async () => {
      const { service, client } = await serviceWith(inTurn(bad, bad, bad, good), IMPATIENT);
      expect(await client.request(readCall())).toEqual({ name: 'Acme' });
      expect(service.received).toHaveLength(4);
    });
  });

  it('joins the queue of its key as a retry', async () => {
    const run = jest.spyOn(KeyLimiter.prototype, 'run');
    await failedCall(reset);
    expect(run.mock.calls.map(([, turn]) => turn.isRetry)).toEqual([false, true, true, true]);
    run.mockRestore();
  });

  const final = [400, 401, 402, 403, 404, 422, 301, 304];
  it.each<readonly [string, Answering, object]>([
    ...final.map((status) => [`${status}`, json({}, status), { status }] as const),
    ['a bomb', bomb, TOO_LARGE],
    ['30 MB that are not JSON', text(`[${' '.repeat(30_000_000)}`), { isFinal: true }],
  ])('is not retried after %s', async (_what, answering, expected) => {
    const { failure, received } = await failedCall(answering);
    expect(failure).toMatchObject(expected);
    expect(received).toHaveLength(1);
  });
});

it.each([
  ['may be repeated', readCall()],
  ['must not happen twice', effectCall],
])('a call that %s is sent four times when the connection is refused', async (_which, call) => {
  const client = clientFor({ baseUrl: await deserted() });
  const beforeSend = jest.fn();
  const error = await failureOf(client.request(call, { beforeSend }));
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
  expect(beforeSend).toHaveBeenCalledTimes(4);
});

describe('a call that must not be repeated', () => {
  it.each(TRANSIENT)('is sent once, and the error says so, after %s', async (_what, answering) => {
    const { failure, received } = await failedCall(answering, effectCall, IMPATIENT);
    expect(failure).toMatchObject({
      name: 'UnknownOutcomeError',
      code: 'unknown_outcome',
      message: expect.stringContaining('POST /v1/companies/acme.com/flags'),
      hint: expect.stringMatching(/didn't retry.*Check in the service/),
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(received).toHaveLength(1);
  });

  it('reports a 404 as not found, not as an unknown outcome', async () => {
    const { failure } = await failedCall(json({ error: 'company_not_found' }, 404), effectCall);
    expect(failure.name).toBe('NotFoundError');
  });

  it('uses a separate connection that is closed afterwards', async () => {
    const { service, client } = await serviceWith(good);
    for (const call of [readCall(), effectCall, effectCall, readCall()]) await client.request(call);
    expect(service.connections).toBe(3);
    await until(() => service.closed === 2);
  });
});

describe('a call that removes something', () => {
  const missing = json({ error: 'list_not_found' }, 404);
  const remove = readCall({ method: 'DELETE', path: '/v1/lists/1', whenMissing: () => 'gone' });

  it.each(TRANSIENT)('succeeds when the retry after %s finds it gone', async (_what, bad) => {
    const { service, client } = await serviceWith(inTurn(bad, missing), IMPATIENT);
    expect(await client.request(remove)).toBe('gone');
    expect(service.received).toHaveLength(2);
  });

  it.each<[string, Answering]>([
    ['on the first attempt', missing],
    ['after a 429', inTurn(json({}, 429), missing)],
  ])('fails when there is nothing to remove %s', async (_when, answering) => {
    expect((await failedCall(answering, remove)).failure.name).toBe('NotFoundError');
  });
});

const throttled = (seconds: number, headers: Record<string, string> = {}) =>
  json({ error: 'operational_rate_limit_exceeded', message: 'Slow down.' }, 429, {
    'Retry-After': String(seconds),
    ...headers,
  });

describe('a 429 or 503', () => {
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
    expect(failure.message).toContain(`and resets at ${formatMoment(resetsAt)}, longer`);
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

  it('makes all clients of the key wait', async () => {
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

  it("is no limit of the key when a 503 requires a day's wait", async () => {
    const { failure, received } = await failedCall(text('', 503, { 'Retry-After': '86400' }));
    expect(failure).toMatchObject({ name: 'RateLimitError', status: 503 });
    expect(received).toHaveLength(1);
    expect(failure.message).toMatch(
      /^The service returned a server error; the service asked to retry at /,
    );
    expect(failure.message).not.toMatch(/limit of this API key/);
    const resetsAt = Date.parse(String(failure.details.resets_at));
    expect(resetsAt - Date.now()).toBeGreaterThan(86_000_000);
  });

  it.each([
    ['set back', -86_400_000],
    ['set forward', 86_400_000],
  ])('is retried in time when the local clock is %s by a day', async (_how, byMs) => {
    const there = Date.now() - byMs;
    const refusal = json({ error: 'operational_rate_limit_exceeded' }, 429, {
      date: new Date(there).toUTCString(),
      'x-ratelimit-reset': String(Math.ceil(there / 1000) + 1),
    });
    const { client } = await serviceWith(inTurn(refusal, good));
    await expect(client.request(readCall())).resolves.toEqual({ name: 'Acme' });
  });
});
