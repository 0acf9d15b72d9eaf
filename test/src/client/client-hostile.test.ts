/** What a hostile or broken service answers: each call ends with an error in words, and effects once. */
import { gzipSync } from 'node:zlib';

import type { Call } from '../../../src/client/client';
import { Client } from '../../../src/client/client';
import { InvalidResponseError, NotFoundError, ServiceError } from '../../../src/client/errors';
import {
  clientFor,
  effectCall,
  everythingOf,
  failureOf,
  readCall,
  settingsFor,
} from './support/client';
import { deserted, json, TestService, text, type Answering } from './support/service';
import { QUICK } from './support/timing';

afterAll(async () => {
  await TestService.stopAll();
});

function asServiceError(failure: Error): ServiceError {
  if (failure instanceof ServiceError) return failure;
  throw failure;
}

const DEEP = 20_000;
const nested = (open: string, close: string, inside = '1', depth = DEEP): string =>
  open.repeat(depth) + inside + close.repeat(depth);

/** Texts of JSON that are nested very deeply, each in a way of its own. */
const NESTED: ReadonlyArray<[string, string]> = [
  ['lists', nested('[', ']')],
  ['objects', nested('{"a":', '}')],
  ['objects in lists', nested('[{"a":', '}]')],
  ['lists beside others', nested('[[],{},1,', ',[]]')],
  ['objects with neighbours on both sides', nested('{"x":"]","a":', ',"y":[{}]}')],
  ['under a name of its own', nested('{"__proto__":', '}')],
];

describe('an error whose body is nested 20,000 deep', () => {
  const BODIES = NESTED.flatMap(([how, deep]): Array<[string, string]> => [
    [`${how}, beside a code`, `{"error":"some_code","more":${deep}}`],
    [`${how}, under detail`, `{"detail":{"error":"some_code","more":${deep}}}`],
    [`${how}, as detail`, `{"code":"some_code","detail":${deep}}`],
    [`${how}, in a list of problems`, `{"code":"some_code","detail":[{"loc":${deep},"msg":"x"}]}`],
    [
      `${how}, in the place of a problem`,
      `{"code":"some_code","errors":[{"loc":[${deep}],"msg":"x"}]}`,
    ],
    [`${how}, alone`, deep],
  ]);

  it.each(BODIES)('%s: a refusal is a refusal', async (_how, body) => {
    const service = await TestService.start(text(body, 422));
    for (const call of [readCall(), effectCall]) {
      const failure = await failureOf((await clientFor(service)).request(call));
      expect(failure).toMatchObject({ name: 'UnprocessableError', status: 422 });
      if (!body.startsWith('[') && body.includes('some_code')) {
        expect(failure).toMatchObject({ code: 'some_code' });
      }
      expect(() => structuredClone(asServiceError(failure).details)).not.toThrow();
      expect(JSON.stringify(failure).length).toBeLessThan(3_000);
    }
  });

  it.each(BODIES)('%s: whether an effect happened stays unknown', async (_how, body) => {
    const service = await TestService.start(text(body, 500));
    const failure = await failureOf((await clientFor(service)).request(effectCall));
    expect(failure.name).toBe('UnknownOutcomeError');
    expect(service.received).toHaveLength(1);
  });
});

describe('a success whose body is nested 20,000 deep', () => {
  it.each(NESTED)('%s: is no answer, and an effect may have happened', async (_how, body) => {
    const service = await TestService.start(text(body));
    const client = await clientFor(service);
    const failure = await failureOf(client.request(readCall()));
    expect(failure).toBeInstanceOf(InvalidResponseError);
    expect(failure.message).toBe('The answer is nested more than 200 levels deep');
    expect((await failureOf(client.request(effectCall))).name).toBe('UnknownOutcomeError');
  });

  it('200 levels are read, whatever the brackets in its texts', async () => {
    const body = nested('[', ']', `"${'[{'.repeat(1_000)}"`, 200);
    const service = await TestService.start(text(body));
    const client = await clientFor(service);
    expect(JSON.stringify(await client.request(readCall()))).toBe(body);
    service.answer(text(`[${body}]`));
    expect(await failureOf(client.request(readCall()))).toBeInstanceOf(InvalidResponseError);
  });
});

describe('whatever the reader of an answer throws', () => {
  const THROWN: ReadonlyArray<[string, unknown]> = [
    ['a bug', new TypeError('x is not a function')],
    ['an overflow', new RangeError('Maximum call stack size exceeded')],
    ['no error', 'a text'],
    ['an answer it cannot read', new InvalidResponseError({ code: 'x', message: 'm', hint: 'h' })],
    ['a failure on purpose', new NotFoundError({ code: 'x', message: 'm', hint: 'h' })],
  ];
  const throwing = (call: Call<unknown>, thrown: unknown): Call<unknown> => ({
    ...call,
    read: () => {
      throw thrown;
    },
  });

  it.each(THROWN)('%s: an effect may have happened, and is not repeated', async (_what, thrown) => {
    const service = await TestService.start(json({ ok: true }, 201));
    const failure = await failureOf(
      (await clientFor(service)).request(throwing(effectCall, thrown)),
    );
    expect(failure.name).toBe('UnknownOutcomeError');
    expect(service.received).toHaveLength(1);
  });

  it.each(THROWN)('%s: a read fails with an error of this client', async (_what, thrown) => {
    const service = await TestService.start();
    const failure = await failureOf(
      (await clientFor(service)).request(throwing(readCall(), thrown)),
    );
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure.message).not.toMatch(/call stack|not a function/);
  });

  it('the key is in none of its words', async () => {
    const service = await TestService.start();
    const settings = settingsFor(service);
    const client = await Client.open(settings, QUICK);
    const words = { code: 'x', message: settings.apiKey, hint: settings.apiKey };
    const error = new InvalidResponseError({ ...words, details: { seen: settings.apiKey } });
    for (const call of [readCall(), effectCall]) {
      const failure = await failureOf(client.request(throwing(call, error)));
      expect(everythingOf(failure)).not.toContain(settings.apiKey);
    }
  });
});

it('a body that cannot be written as JSON is refused before anything is sent', async () => {
  const service = await TestService.start();
  const body: unknown = JSON.parse(nested('[', ']'));
  const failure = await failureOf((await clientFor(service)).request({ ...effectCall, body }));
  expect(failure).toMatchObject({ name: 'BadRequestError', code: 'invalid_request' });
  expect(service.received).toHaveLength(0);
});

it('half a character in a body or a query is sent all the same', async () => {
  const service = await TestService.start();
  const query = { q: 'a\ud800b' };
  const client = await clientFor(service);
  await client.request({ ...effectCall, body: { description: 'a\ud800b' }, query });
  expect(service.received[0]).toMatchObject({ url: expect.stringContaining('q=a%EF%BF%BDb') });
});

describe('nobody there', () => {
  it('uses up no permits and none of the day: thirty calls with two permits a minute', async () => {
    const settings = settingsFor({ baseUrl: await deserted() }, { requestsPerMinute: 2 });
    const client = await Client.open(
      { ...settings, requestsPerDay: 5 },
      { ...QUICK, windowMs: 60_000 },
    );
    const failures = await Promise.all(
      Array.from({ length: 30 }, async () => await failureOf(client.request(readCall()))),
    );
    for (const failure of failures) expect(failure).toMatchObject({ code: 'connection_failed' });
  });
});

describe('what a failing service asks for', () => {
  it('a wait of a day is the service asking, not the limit of the key', async () => {
    const service = await TestService.start(text('', 503, { 'Retry-After': '86400' }));
    const failure = await failureOf((await clientFor(service)).request(readCall()));
    expect(failure).toMatchObject({ name: 'RateLimitError', status: 503 });
    expect(failure.message).toMatch(/^The service failed; it asks not to be asked/);
    expect(failure.message).not.toMatch(/limit of this API key/);
    const { resets_at: until } = asServiceError(failure).details;
    expect(failure.message).toContain(until);
    expect(Date.parse(String(until)) - Date.now()).toBeGreaterThan(86_000_000);
  });

  it.each([
    ['set back', -86_400_000],
    ['set forward', 86_400_000],
  ])(
    'with the clock of this machine %s, a moment is reckoned by the clock of the service',
    async (_how, byMs) => {
      const there = Date.now() - byMs;
      const soon = Math.ceil(there / 1000) + 1;
      const service = await TestService.start((received, response) => {
        const date = new Date(there).toUTCString();
        if (received.number > 1) json({ ok: true }, 200)(received, response);
        else {
          const headers = { date, 'x-ratelimit-reset': String(soon) };
          json({ error: 'operational_rate_limit_exceeded' }, 429, headers)(received, response);
        }
      });
      await expect((await clientFor(service)).request(readCall())).resolves.toEqual({ ok: true });
    },
  );

  it('407 names the proxy', async () => {
    const service = await TestService.start(text('', 407));
    expect(await failureOf((await clientFor(service)).request(readCall()))).toMatchObject({
      message: expect.stringContaining('proxy'),
      hint: expect.stringContaining('HTTPS_PROXY'),
    });
  });

  it.each([
    [effectCall, false],
    [{ ...readCall(), method: 'POST' as const, body: { domains: ['a.com'] } }, true],
    [readCall(), false],
  ])(
    'batch_too_large advises a smaller batch only where there is a batch',
    async (call, isBatch) => {
      const service = await TestService.start(json({ error: 'batch_too_large' }, 400));
      const failure = await failureOf((await clientFor(service)).request(call));
      expect(failure.name).toBe('BatchTooLargeError');
      expect(asServiceError(failure).hint.includes('Max Batch Size')).toBe(isBatch);
    },
  );
});

describe('texts of others', () => {
  const LONG = 'x'.repeat(10 * 1024 * 1024);
  const fields = Object.fromEntries(
    Array.from({ length: 500 }, (_unused, n) => [`f${n}`, 'y'.repeat(400)]),
  );
  const ECHOES: ReadonlyArray<[string, Answering]> = [
    ['a message', json({ message: LONG }, 400)],
    ['a code', json({ code: LONG, error: LONG }, 400)],
    ['a field', json({ error: 'x_y', seen: LONG, [LONG]: 1 }, 400)],
    ['many fields', json({ error: 'x_y', ...fields }, 400)],
    ['a list', json({ error: 'x_y', seen: Array.from({ length: 100_000 }, () => 'x') }, 400)],
    ['problems', json({ detail: [{ loc: [LONG], msg: LONG }] }, 400)],
    ['a page', text(`<html>${LONG}</html>`, 500)],
    [
      'a packed page',
      (_request, response) => {
        response.writeHead(400, { 'content-encoding': 'gzip' }).end(gzipSync(LONG));
      },
    ],
    [
      'headers',
      json({}, 429, { 'retry-after': '9'.repeat(1_000), 'x-ratelimit-limit': '9'.repeat(4_000) }),
    ],
    ['a redirect', text(LONG, 302, { location: `http://127.0.0.1/${'x'.repeat(4_000)}` })],
    ['what is not JSON', text(LONG)],
  ];

  it.each(ECHOES)(
    '%s of 10 MB: an error stays short',
    async (_what, answering) => {
      const service = await TestService.start(answering);
      for (const call of [readCall(), effectCall]) {
        const failure = await failureOf((await clientFor(service)).request(call));
        const { message, hint, details } = asServiceError(failure);
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

  it('a path of a megabyte is not repeated either', async () => {
    const service = await TestService.start(text('', 500));
    const path = `/v1/${'x'.repeat(8_000)}`;
    const failure = await failureOf((await clientFor(service)).request({ ...effectCall, path }));
    expect(failure.message.length).toBeLessThan(500);
  });

  it.each(['base64', 'base64url', 'hex'] as const)(
    'an echo of the key in %s is taken out',
    async (encoding) => {
      for (const before of ['', 'u', 'us', 'usr']) {
        const service = await TestService.start((received, response) => {
          const key = String(received.headers['x-api-key']);
          const echo = Buffer.from(`${before}${key}:end`).toString(encoding);
          json({ error: 'x_y', message: `seen ${echo}`, seen: echo }, 400)(received, response);
        });
        const settings = settingsFor(service);
        const failure = await failureOf((await Client.open(settings, QUICK)).request(readCall()));
        const shown = everythingOf(failure);
        const decoded = (shown.match(/[\w+/=-]{8,}/g) ?? []).flatMap((word) =>
          [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), encoding).toString('latin1')),
        );
        expect(decoded.join('\n')).not.toContain(settings.apiKey.slice(2, -2));
        expect(shown).toContain('[API key]');
      }
    },
  );
});
