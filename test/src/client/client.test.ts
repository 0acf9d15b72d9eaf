import { setTimeout as sleep } from 'node:timers/promises';

import { Client, type Call } from '../../../src/client/client';
import { InvalidResponseError, NotAttemptedError, NotFoundError } from '../../../src/client/errors';
import { KeyLimiter } from '../../../src/client/limiter/key-limiter';
import { effectCall, everythingOf, outcomeOf, readCall, settingsFor } from './support/client';
import { times } from './support/limited-service';
import {
  failureWith,
  mockedClient,
  mockService,
  mockTheNetwork,
  type Answer,
} from './support/mocked-service';
import { failureOf, QUICK, until } from './support/timing';

mockTheNetwork();

const GOOD: Answer = [200, { name: 'Acme' }];

describe('a sent request', () => {
  it('contains the path below the base URL, what is defined, and the key in a header only', async () => {
    const { baseUrl, received } = mockService(GOOD);
    const settings = settingsFor({ baseUrl: `${baseUrl}/gateway` });
    const client = Client.open(settings, QUICK);
    const body = { domains: ['acme.com'], half: 'a\ud800b' };
    const query = { q: 'a&b =ü\ud800', page: 2, has_partner_page: false, sort: undefined };
    await client.request(readCall({ method: 'POST', path: '/v1/companies', query, body }));
    await client.request(readCall());
    const search = 'q=a%26b+%3D%C3%BC%EF%BF%BD&page=2&has_partner_page=false';
    const url = `POST /gateway/v1/companies?${search}`;
    const headers = { accept: 'application/json', 'x-api-key': settings.apiKey };
    expect(received).toMatchObject([
      { url, body, headers: { ...headers, 'content-type': 'application/json' } },
      { url: 'GET /gateway/v1/companies/acme.com', headers },
    ]);
    expect(received[1]!.headers).not.toHaveProperty('content-type');
    expect(JSON.stringify(received).split(settings.apiKey)).toHaveLength(3);
  });

  it('is not sent when the body cannot be serialized, or the last check fails', async () => {
    const { received, client } = mockedClient([GOOD]);
    const body: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    const unwritable = await failureOf(client.request({ ...effectCall, body }));
    expect(unwritable).toMatchObject({ name: 'BadRequestError', code: 'invalid_request' });
    const refusal = new NotAttemptedError({ code: 'no', message: 'no', hint: 'no' });
    const beforeSend = () => {
      throw refusal;
    };
    await expect(client.request(readCall(), { beforeSend })).rejects.toBe(refusal);
    expect(received).toHaveLength(0);
  });
});

const removeCall = readCall({ method: 'DELETE', path: '/v1/lists/1', whenMissing: () => 'gone' });

const CSV = { 'content-type': 'text/csv' };
const fileCall: Call<string> = {
  method: 'GET',
  path: '/v1/lists/7/export.csv',
  repeatable: true,
  fileType: 'text/csv',
  read: ({ bytes }) => bytes.toString('latin1'),
};

const outcomes = async (answers: readonly Answer[], call: Call<unknown>) =>
  await outcomeOf(mockedClient(answers), call);

const refused = (name: string) => Array<string>(4).fill(`1 × ${name}`);
/** A read is sent four times, a change once, and a removal may have happened at the first attempt. */
const unclear = (name: string) => [
  `4 × ${name}`,
  '4 × {"name":"Acme"}',
  '1 × UnknownOutcomeError',
  '2 × "gone"',
];

it.each<[string, Answer, string[]]>([
  ['500', [500, { error: 'internal', message: 'Oops' }], unclear('ServerError')],
  ['502 as HTML', [502, '<h1>Bad Gateway</h1>'], unclear('ServerError')],
  ['503', [503], unclear('ServerError')],
  ['408', [408], unclear('ServiceError')],
  ['an HTML page', [200, '<html></html>'], unclear('InvalidResponseError')],
  ['nothing', [200], unclear('InvalidResponseError')],
  ['another shape', [200, []], refused('InvalidResponseError').with(2, '1 × UnknownOutcomeError')],
  ['truncated JSON', [200, '{"name"'], unclear('InvalidResponseError')],
  [
    '100,000 levels, which a retry would not change',
    [200, '['.repeat(100_000) + ']'.repeat(100_000)],
    refused('InvalidResponseError').with(2, '1 × UnknownOutcomeError'),
  ],
  ['a stated error', [200, { errors: [{ title: 'Oops' }] }], unclear('InvalidResponseError')],
  [
    '202, which means not ready for a read',
    [202, { job_id: 'j' }],
    ['4 × InvalidResponseError', '4 × {"name":"Acme"}', '1 × {"job_id":"j"}', '1 × {"job_id":"j"}'],
  ],
  ['400', [400], refused('BadRequestError')],
  ['401', [401], refused('AuthenticationError')],
  ['402', [402], refused('CreditExhaustedError')],
  ['403', [403], refused('ForbiddenError')],
  ['404', [404], refused('NotFoundError')],
  ['409', [409], refused('ConflictError')],
  ['422', [422], refused('UnprocessableError')],
  ['304', [304], refused('ServiceError')],
])('repeats reads only, and only if a retry can help, after %s', async (_what, bad, expected) => {
  expect([
    await outcomes([bad], readCall()),
    await outcomes([bad, bad, bad, GOOD], readCall()),
    await outcomes([bad], effectCall),
    await outcomes([bad, [404, { error: 'list_not_found' }]], removeCall),
  ]).toEqual(expected);
});

it('knows whether an earlier attempt may have had an effect, and that a 429 had none', async () => {
  expect(await outcomes([[429], [404]], removeCall)).toBe('2 × NotFoundError');
  expect((await failureWith([[403]])).failure.hadNoEffect).toBe(true);
  // A web page instead of the service, at each attempt: nothing was charged.
  expect((await failureWith([[200, '<html></html>']])).failure.hadNoEffect).toBe(true);
  expect((await failureWith([[500], [200, '<html></html>']])).failure.hadNoEffect).toBe(false);
  expect((await failureWith([[500], [403]])).failure.hadNoEffect).toBe(false);
});

it('joins the queue of its key as a retry', async () => {
  const run = jest.spyOn(KeyLimiter.prototype, 'run');
  await failureWith([[500]]);
  expect(run.mock.calls.map(([, turn]) => turn.isRetry)).toEqual([false, true, true, true]);
  run.mockRestore();
});

const throttled = (seconds: number, headers: Record<string, string> = {}): Answer => [
  429,
  { error: 'operational_rate_limit_exceeded', message: 'Slow down.' },
  { 'Retry-After': String(seconds), ...headers },
];

describe('a 429 or 503', () => {
  it('does not count as a failed attempt, whereas failures before and after it do', async () => {
    const often = [...times(20, () => throttled(0.01)), GOOD];
    expect(await outcomes(often, readCall())).toBe('21 × {"name":"Acme"}');
    const mixed = [[500], [500], throttled(0.01), throttled(0.01), [500], [500], GOOD] as Answer[];
    expect(await outcomes(mixed, readCall())).toBe('6 × ServerError');
  });

  it.each<[string, Answer]>([
    ['429 with Retry-After', throttled(0.3)],
    ['429 with retry_after_seconds', [429, { error: 'x', retry_after_seconds: 0.3 }]],
    ['503 with Retry-After', [503, '', { 'Retry-After': '0.3' }]],
  ])('is not followed by a retry before the requested time: %s', async (_name, answer) => {
    const { received, client } = mockedClient([answer, GOOD]);
    await client.request(readCall());
    expect(received[1]!.at - received[0]!.at).toBeGreaterThanOrEqual(299);
  });

  const daily = { 'X-RateLimit-Remaining-Day': '0' };

  it.each<[string, Answer, RegExp]>([
    ['the rate limit', throttled(3_600), /^The rate limit .* is used up and resets on /],
    ['the daily limit', throttled(3_600, daily), /^The daily limit .* is used up and resets on /],
    ['the service', [503, '', { 'Retry-After': '3600' }], /server error; .* asked to retry on /],
  ])(
    'fails immediately when %s requires a longer wait than the run allows',
    async (_what, answer, message) => {
      const before = Date.now();
      const { failure, received } = await failureWith([answer]);
      expect(failure).toMatchObject({ name: 'RateLimitError', status: answer[0] });
      expect(failure.message).toMatch(message);
      const waitMs = Date.parse(String(failure.details.resets_at)) - before;
      expect(waitMs).toBeGreaterThanOrEqual(3_600_000);
      expect(waitMs).toBeLessThanOrEqual(3_600_000 + Date.now() - before);
      expect(received).toHaveLength(1);
    },
  );

  it('fails when several waits together are longer than the run allows', async () => {
    const answers = [...times(30, () => throttled(0.1)), GOOD];
    const mocked = mockedClient(answers, { maxRateLimitWaitMs: 350 });
    expect(await outcomeOf(mocked, readCall())).toBe('4 × RateLimitError');
  });

  it('limits later requests to the limit per minute that the 429 states', async () => {
    const answers = [throttled(0.01, { 'X-RateLimit-Limit': '5' }), GOOD];
    const { received, client } = mockedClient(answers, { windowMs: 5_000 });
    await client.request(readCall());
    const stop = new AbortController();
    const later = times(9, async () => await client.request(readCall(), { signal: stop.signal }));
    await sleep(300);
    stop.abort();
    await Promise.allSettled(later);
    expect(received.length).toBeLessThan(5);
  });

  it('makes all clients of the key wait, or says in their time zone until when', async () => {
    const { received, settings, client } = mockedClient([throttled(0.5), GOOD]);
    const other = Client.open(settings, QUICK);
    const first = client.request(readCall({ path: '/v1/first' }));
    await until(() => received.length > 0);
    // Leaves time for the response to arrive.
    await sleep(100);
    const hasty = { ...QUICK, maxRateLimitWaitMs: 100, timeZone: 'Asia/Kolkata' };
    const refusedAtOnce = Client.open(settings, hasty).request(readCall());
    await expect(refusedAtOnce).rejects.toThrow(/resets on .* \(Kolkata\), later/);
    await Promise.all([first, other.request(readCall({ path: '/v1/second' }))]);
    const [refused, ...later] = received;
    expect(later).toHaveLength(2);
    for (const { at } of later) expect(at - refused!.at).toBeGreaterThanOrEqual(499);
  });

  it('is retried in time if the local clock is a day behind', async () => {
    const there = Date.now() + 86_400_000;
    const headers = {
      date: new Date(there).toUTCString(),
      'x-ratelimit-reset': String(Math.ceil(there / 1000) + 1),
    };
    const { client } = mockedClient([[429, {}, headers], GOOD]);
    await expect(client.request(readCall())).resolves.toEqual({ name: 'Acme' });
  });
});

it.each<[string, BufferEncoding]>([
  ['application/json', 'utf8'],
  ['application/json; charset=ISO-8859-1', 'latin1'],
  ['application/json; charset="utf-16le"', 'utf16le'],
  ['application/json; charset=unheard-of', 'utf8'],
])('decodes a response of the type %s', async (type, encoding) => {
  const body = Buffer.from('{"name":"Müller"}', encoding);
  const answer: Answer = [200, body, { 'content-type': type }];
  expect(await outcomes([answer], readCall())).toBe('1 × {"name":"Müller"}');
});

it.each([
  ['every byte of a file', `name\r\n${'\xff\x00"a""b"\r\n'.repeat(200_000)}`],
  ['no bytes of an empty file', ''],
])('returns %s, also after a 503', async (_what, body) => {
  const { client } = mockedClient([[503], [200, Buffer.from(body, 'latin1'), CSV]]);
  expect((await client.request(fileCall)) === body).toBe(true);
});

describe('when reading a response throws', () => {
  const words = { code: 'x', message: 'm', hint: 'h' };
  const bug = new TypeError('x is not a function');
  const throwing = (call: Call<unknown>, thrown: unknown): Call<unknown> => ({
    ...call,
    read: () => {
      throw thrown;
    },
  });

  it.each<[string, unknown, string]>([
    ['a bug', bug, '1 × InternalFaultError'],
    ['a text', 'a text', '1 × InternalFaultError'],
    ['a wrong shape', new InvalidResponseError(words), '1 × InvalidResponseError'],
    ['a deliberate failure', new NotFoundError(words), '1 × NotFoundError'],
  ])('fails a read, and leaves a change uncertain: %s', async (_what, thrown, outcome) => {
    expect(await outcomes([[200, {}]], throwing(readCall(), thrown))).toBe(outcome);
    expect(await outcomes([[201, {}]], throwing(effectCall, thrown))).toBe(
      '1 × UnknownOutcomeError',
    );
  });

  it("reports a bug as this package's own fault, with its cause, not as a wrong Base URL", async () => {
    const { failure } = await failureWith([[200, {}]], throwing(readCall(), bug));
    expect(failure).toMatchObject({ code: 'own_fault', cause: bug });
    expect(failure.message).toContain('a bug in this package (TypeError: x is not a function)');
    expect(everythingOf(failure)).not.toContain('Base URL');
  });
});

describe('the API key', () => {
  it.each<[string, (key: string) => Answer]>([
    ['401 that echoes it in a sentence', (key) => [401, { detail: `No such key ${key}!` }]],
    ['404 that nests it', (key) => [404, { detail: { error: 'x', [key]: key } }]],
    ['422 with problems', (key) => [422, { detail: [{ loc: ['header', key], msg: key }] }]],
    ['500 as HTML', (key) => [500, `<pre>X-API-Key: ${key}</pre>`]],
    ['200 as HTML', (key) => [200, `<pre>X-API-Key: ${key}</pre>`]],
    ['a redirect', (key) => [302, '', { location: `http://127.0.0.1:9/?key=${key}` }]],
    ['a message that is cut inside it', (key) => [400, { message: 'x'.repeat(480) + key }]],
    [
      'an odd escape of it',
      (key) => [400, `{"message":"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}"}`],
    ],
  ])('is in no error after %s', async (_what, make) => {
    for (const call of [readCall(), effectCall]) {
      const { failure, settings } = await failureWith([make], call);
      const shown = everythingOf(failure);
      expect(shown).not.toContain(settings.apiKey.slice(0, 12));
      expect(shown).not.toMatch(/Axios/i);
    }
  });

  it('is redacted in a file', async () => {
    const { received, client } = mockedClient([(key) => [200, `a,${key}`, CSV]]);
    expect(await client.request(fileCall)).toBe('a,[API key]');
    expect(received).toMatchObject([{ headers: { accept: 'text/csv' } }]);
  });

  it("is redacted in the service's code, message and fields, which are kept", async () => {
    const body = (key: string) => ({ error: 'bad_thing', message: `Key ${key} is odd`, key, n: 3 });
    const { failure } = await failureWith([(key) => [400, body(key)]]);
    expect(failure).toMatchObject({
      code: 'bad_thing',
      message: expect.stringContaining('Key [API key] is odd'),
      details: { key: '[API key]', n: 3 },
    });
  });

  it.each([301, 302, 303, 307, 308])('is sent to no target of a redirect (%i)', async (status) => {
    const elsewhere = mockService(GOOD);
    const away: Answer = [status, '', { location: `${elsewhere.baseUrl}/v1/companies` }];
    for (const call of [readCall(), effectCall]) {
      expect(await outcomes([away], call)).toBe('1 × RedirectRefusedError');
    }
    expect(elsewhere.received).toHaveLength(0);
  });

  it.each(['ci/test+5ecret"0', 'acme'])(
    'is removed from data unless it is a short word: %s',
    async (apiKey) => {
      const spelled = encodeURIComponent(apiKey);
      const seen = { domain: 'acme.com', [apiKey]: [{ spelled, plain: apiKey }] };
      const service = mockService([200, seen, { location: `/v1/jobs/${spelled}` }]);
      const client = Client.open(settingsFor(service, { apiKey }), QUICK);
      const shown = await client.request(readCall({ read: (answer) => answer }));
      expect(shown).toMatchObject({ json: { domain: 'acme.com' } });
      if (apiKey === 'acme') expect(shown).toMatchObject({ json: seen });
      else expect(everythingOf(shown)).not.toMatch(/5ecret/);
    },
  );
});
