/**
 * Tests responses of a hostile or broken service: each call
 * ends with a readable error, and no effect happens twice.
 */
import { gzipSync } from 'node:zlib';

import { Client, type Call } from '../../../src/client/client';
import { InvalidResponseError, NotFoundError } from '../../../src/client/errors';
import {
  effectCall,
  everythingOf,
  failedCall,
  failureOf,
  readCall,
  serviceWith,
  settingsFor,
} from './support/client';
import { times } from './support/limited-service';
import { deserted, inTurn, json, TestService, text, type Answering } from './support/service';
import { QUICK } from './support/timing';

afterAll(TestService.stopAll);

const DEEP = 20_000;
const nested = (open: string, close: string, inside = '1', depth = DEEP): string =>
  open.repeat(depth) + inside + close.repeat(depth);

/** Very deeply nested JSON, each text in another way. */
const NESTED: ReadonlyArray<[string, string]> = [
  ['lists', nested('[', ']')],
  ['objects', nested('{"a":', '}')],
  ['objects in lists', nested('[{"a":', '}]')],
  ['lists next to other values', nested('[[],{},1,', ',[]]')],
  ['objects between other fields', nested('{"x":"]","a":', ',"y":[{}]}')],
  ['objects in fields named __proto__', nested('{"__proto__":', '}')],
];

describe('a deeply nested response', () => {
  it.each(NESTED)(
    'with 20,000 levels of %s: fails a read as invalid and a change with an unknown outcome',
    async (_how, body) => {
      const { client } = await serviceWith(text(body));
      const failure = await failureOf(client.request(readCall()));
      expect(failure).toBeInstanceOf(InvalidResponseError);
      expect(failure.message).toBe('The response is nested more than 200 levels deep');
      expect((await failureOf(client.request(effectCall))).name).toBe('UnknownOutcomeError');
    },
  );

  it('is read with 200 levels but not with 201, whatever brackets its strings and names contain', async () => {
    const body = nested('{"[{":', '}', `"${'[{'.repeat(1_000)}"`, 200);
    const { service, client } = await serviceWith(text(body));
    expect(JSON.stringify(await client.request(readCall()))).toBe(body);
    service.answer(text(`[${body}]`));
    expect(await failureOf(client.request(readCall()))).toBeInstanceOf(InvalidResponseError);
  });
});

describe('when reading a response throws', () => {
  const words = { code: 'x', message: 'm', hint: 'h' };
  const ours = (cause: string) =>
    `This node could not read the response because of a bug in this package (${cause})`;
  const bug = new TypeError('x is not a function');
  const throwing = (call: Call<unknown>, thrown: unknown): Call<unknown> => ({
    ...call,
    read: () => {
      throw thrown;
    },
  });

  it.each<[string, unknown, string, number]>([
    ['a bug', bug, ours('TypeError: x is not a function'), 1],
    ['a stack overflow', new RangeError('Too deep'), ours('RangeError: Too deep'), 1],
    ['a text instead of an error', 'a text', ours('a text'), 1],
    ['an invalid response error', new InvalidResponseError(words), 'm', 4],
    ['a deliberate failure', new NotFoundError(words), 'm', 1],
  ])(
    '%s: reports an unknown outcome for a change, and fails a read',
    async (_what, thrown, message, tries) => {
      const effect = await failedCall(json({}, 201), throwing(effectCall, thrown));
      expect(effect.failure.name).toBe('UnknownOutcomeError');
      expect(effect.received).toHaveLength(1);

      const read = await failedCall(json({}), throwing(readCall(), thrown));
      expect(read.failure.message).toBe(message);
      expect(read.received).toHaveLength(tries);
    },
  );

  it("reports a bug as this package's own fault, with its cause, and not as a wrong Base URL", async () => {
    const { failure } = await failedCall(json({}), throwing(readCall(), bug));
    expect(failure).toMatchObject({ code: 'own_fault', cause: bug });
    expect(failure).toMatchObject({ details: { cause: expect.stringContaining('at ') } });
    expect(everythingOf(failure)).not.toContain('Base URL');
  });

  it('keeps the API key out of the error, even when the thrown error contains it', async () => {
    const { client, settings } = await serviceWith();
    const { apiKey } = settings;
    const details = { seen: apiKey };
    const error = new InvalidResponseError({ code: 'x', message: apiKey, hint: apiKey, details });
    for (const call of [readCall(), effectCall]) {
      const failure = await failureOf(client.request(throwing(call, error)));
      expect(everythingOf(failure)).not.toContain(apiKey);
    }
  });
});

it('refuses a body that cannot be serialized as JSON, and sends nothing', async () => {
  const body: unknown = JSON.parse(nested('[', ']'));
  const { failure, received } = await failedCall(json({}), { ...effectCall, body });
  expect(failure).toMatchObject({ name: 'BadRequestError', code: 'invalid_request' });
  expect(received).toHaveLength(0);
});

it('sends half of a surrogate pair in a body or a query, and replaces it in the query', async () => {
  const { service, client } = await serviceWith();
  const half = { q: 'a\ud800b' };
  await client.request({ ...effectCall, body: half, query: half });
  expect(service.received[0]).toMatchObject({ url: expect.stringContaining('q=a%EF%BF%BDb') });
});

it('uses no permit and no daily quota when the connection is refused', async () => {
  const limits = { requestsPerMinute: 2, requestsPerDay: 5 };
  const settings = settingsFor({ baseUrl: await deserted() }, limits);
  const client = Client.open(settings, { ...QUICK, windowMs: 60_000 });
  const failures = times(30, async () => await failureOf(client.request(readCall())));
  for (const failure of failures) {
    expect(await failure).toMatchObject({ code: 'connection_failed' });
  }
});

describe('an error response', () => {
  it("is reported as the service's request, not as the key's limit, when it requires a day's wait", async () => {
    const { failure, received } = await failedCall(text('', 503, { 'Retry-After': '86400' }));
    expect(failure).toMatchObject({ name: 'RateLimitError', status: 503 });
    expect(received).toHaveLength(1);
    expect(failure.message).toMatch(
      /^The service returned a server error; the service asked to retry in 24 hours, at /,
    );
    expect(failure.message).not.toMatch(/limit of this API key/);
    const { resets_at: until } = failure.details;
    expect(Date.parse(String(until)) - Date.now()).toBeGreaterThan(86_000_000);
  });

  it.each([
    ['set back', -86_400_000],
    ['set forward', 86_400_000],
  ])('is retried after a 429 when the local clock is %s by a day', async (_how, byMs) => {
    const there = Date.now() - byMs;
    const throttled = json({ error: 'operational_rate_limit_exceeded' }, 429, {
      date: new Date(there).toUTCString(),
      'x-ratelimit-reset': String(Math.ceil(there / 1000) + 1),
    });
    const { client } = await serviceWith(inTurn(throttled, json({ ok: true })));
    await expect(client.request(readCall())).resolves.toEqual({ ok: true });
  });

  it('is reported with the proxy and HTTPS_PROXY when the status is 407', async () => {
    expect((await failedCall(text('', 407))).failure).toMatchObject({
      message: expect.stringContaining('proxy'),
      hint: expect.stringContaining('HTTPS_PROXY'),
    });
  });

  it.each([
    [effectCall, false],
    [{ ...readCall(), method: 'POST' as const, body: { domains: ['a.com'] } }, true],
    [readCall(), false],
  ])(
    'leads to advice on Max Batch Size after batch_too_large only if the call has a batch',
    async (call, isBatch) => {
      const { failure } = await failedCall(json({ error: 'batch_too_large' }, 400), call);
      expect(failure.name).toBe('BatchTooLargeError');
      expect(failure.hint.includes('Max Batch Size')).toBe(isBatch);
    },
  );
});

describe('very long texts', () => {
  const LONG = 'x'.repeat(10 * 1024 * 1024);
  const fields = Object.fromEntries(times(500, (n) => [`f${n}`, 'y'.repeat(400)]));
  const ECHOES: ReadonlyArray<[string, Answering]> = [
    ['a message', json({ message: LONG }, 400)],
    ['a code', json({ code: LONG, error: LONG }, 400)],
    ['a field', json({ error: 'x_y', seen: LONG, [LONG]: 1 }, 400)],
    ['many fields', json({ error: 'x_y', ...fields }, 400)],
    ['a list', json({ error: 'x_y', seen: times(100_000, () => 'x') }, 400)],
    ['a list of problems', json({ detail: [{ loc: [LONG], msg: LONG }] }, 400)],
    ['a page', text(`<html>${LONG}</html>`, 500)],
    [
      'a compressed page',
      (_request, response) => {
        response.writeHead(400, { 'content-encoding': 'gzip' }).end(gzipSync(LONG));
      },
    ],
    [
      'headers',
      json({}, 429, { 'retry-after': '9'.repeat(1_000), 'x-ratelimit-limit': '9'.repeat(4_000) }),
    ],
    ['a redirect', text(LONG, 302, { location: `http://127.0.0.1/${'x'.repeat(4_000)}` })],
    ['text that is not JSON', text(LONG)],
  ];

  it.each(ECHOES)(
    'are shortened in the error when the service returns %s of excessive length',
    async (_what, answering) => {
      for (const call of [readCall(), effectCall]) {
        const { message, hint, details } = (await failedCall(answering, call)).failure;
        expect(message.length).toBeLessThan(1_000);
        expect(hint.length).toBeLessThan(500);
        expect(JSON.stringify(details).length).toBeLessThan(12_000);
        for (const value of Object.values(details)) {
          expect(JSON.stringify(value).length).toBeLessThanOrEqual(510);
        }
      }
    },
    30_000,
  );

  it('are shortened in the message when the request path has 8,000 characters', async () => {
    const path = `/v1/${'x'.repeat(8_000)}`;
    const { failure } = await failedCall(text('', 500), { ...effectCall, path });
    expect(failure.message.length).toBeLessThan(500);
  });
});
