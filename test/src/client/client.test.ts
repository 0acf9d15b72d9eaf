/** Tests what the client sends, retries and reports; nock answers. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, type Call } from '../../../src/client/client';
import {
  InvalidResponseError,
  NotAttemptedError,
  NotFoundError,
  RateLimitError,
} from '../../../src/client/errors';
import { KeyLimiter } from '../../../src/client/limiter/key-limiter';
import { formatMoment } from '../../../src/client/values';
import { effectCall, everythingOf, readCall, settingsFor } from './support/client';
import { times } from './support/limited-service';
import {
  failureWith,
  mockedClient,
  mockService,
  mockTheNetwork,
  type Answer,
  type Received,
} from './support/mocked-service';
import { failureOf, QUICK, until } from './support/timing';

mockTheNetwork();

const GOOD: Answer = [200, { name: 'Acme' }];

describe('a sent request', () => {
  it('contains the method, the path below the base URL, the defined parameters and the JSON body', async () => {
    const { baseUrl, received } = mockService(GOOD);
    const client = Client.open(settingsFor({ baseUrl: `${baseUrl}/gateway` }), QUICK);
    const body = { domains: ['acme.com'], half: 'a\ud800b' };
    const query = { q: 'a&b =ü\ud800', page: 2, has_partner_page: false, sort: undefined };
    await client.request(readCall({ method: 'POST', path: '/v1/companies', query, body }));
    const [sent] = received;
    expect(sent).toMatchObject({ method: 'POST', body });
    expect(sent!.url).toBe(
      '/gateway/v1/companies?q=a%26b+%3D%C3%BC%EF%BF%BD&page=2&has_partner_page=false',
    );
    expect(sent!.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
    });
  });

  it('contains the key only in its header, and no content type without a body', async () => {
    const { received, settings, client } = mockedClient([GOOD]);
    await client.request(readCall({ query: { q: 'x' } }));
    await client.request(effectCall);
    for (const { url, headers, body } of received) {
      const { 'x-api-key': key, ...others } = headers;
      expect(String(key)).toBe(settings.apiKey);
      expect(JSON.stringify([url, body, others])).not.toContain(settings.apiKey);
    }
    expect(received.map(({ headers }) => 'content-type' in headers)).toEqual([false, true]);
  });

  it('is not sent when the body cannot be serialized, or the last check fails', async () => {
    const { received, client } = mockedClient([GOOD]);
    const body: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(await failureOf(client.request({ ...effectCall, body }))).toMatchObject({
      name: 'BadRequestError',
      code: 'invalid_request',
    });
    const refusal = new NotAttemptedError({ code: 'no', message: 'no', hint: 'no' });
    const beforeSend = () => {
      throw refusal;
    };
    await expect(client.request(readCall(), { beforeSend })).rejects.toBe(refusal);
    expect(received).toHaveLength(0);
  });
});

it.each<[string, Answer, unknown]>([
  [
    'parsed body',
    [202, { id: '9007199254740993', n: 1 }, { Location: '/v1/jobs/j' }],
    { id: '9007199254740993', n: 1 },
  ],
  ['empty body as undefined', [204, '', { Location: '/v1/jobs/j' }], undefined],
])('passes the status, headers and %s to the reader', async (_what, answer, body) => {
  const got = await mockedClient([answer]).client.request({ ...effectCall, read: (read) => read });
  expect(got).toMatchObject({ status: answer[0], headers: { location: '/v1/jobs/j' }, json: body });
});

const TRANSIENT: ReadonlyArray<[string, Answer, string]> = [
  ['500', [500, { error: 'internal', message: 'Oops' }], 'ServerError'],
  ['502 as HTML', [502, '<h1>Bad Gateway</h1>'], 'ServerError'],
  ['503', [503], 'ServerError'],
  ['408', [408], 'ServiceError'],
  ['an HTML page', [200, '<html></html>'], 'InvalidResponseError'],
  ['truncated JSON', [200, '{"name"'], 'InvalidResponseError'],
];

describe.each(TRANSIENT)('after %s', (_what, bad, name) => {
  it('a repeatable call is sent four times, and returns the result of the fourth', async () => {
    const { failure, received } = await failureWith([bad]);
    expect([failure.name, received.length]).toEqual([name, 4]);
    const { client } = mockedClient([bad, bad, bad, GOOD]);
    expect(await client.request(readCall())).toEqual({ name: 'Acme' });
  });

  it('a call that must not be repeated is sent once, and the error says so', async () => {
    const { failure, received } = await failureWith([bad], effectCall);
    expect(failure).toMatchObject({
      name: 'UnknownOutcomeError',
      code: 'unknown_outcome',
      message: expect.stringContaining('POST /v1/companies/acme.com/flags'),
      hint: expect.stringMatching(/didn't retry.*Check in the service/),
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(received).toHaveLength(1);
  });

  it('a call that removes something succeeds when the retry finds it gone', async () => {
    const { client, received } = mockedClient([bad, [404, { error: 'list_not_found' }]]);
    expect(await client.request(removeCall)).toBe('gone');
    expect(received).toHaveLength(2);
  });
});

const removeCall = readCall({ method: 'DELETE', path: '/v1/lists/1', whenMissing: () => 'gone' });

it('reads again after a 202, which means not ready, but takes it for the result of an effect', async () => {
  const { failure, received } = await failureWith([[202, { status: 'materializing' }]]);
  expect([failure.code, received.length]).toEqual(['not_ready', 4]);
  const { client } = mockedClient([[202, { job_id: 'j' }]]);
  expect(await client.request(effectCall)).toEqual({ job_id: 'j' });
});

it.each<[string, Call<unknown>, Answer[], string]>([
  ['a removal on the first attempt', removeCall, [[404]], 'NotFoundError'],
  ['a removal after a 429', removeCall, [[429], [404]], 'NotFoundError'],
  ['an effect', effectCall, [[404, { error: 'company_not_found' }]], 'NotFoundError'],
  ['a 409 of a read that can be repeated', readCall(), [[409]], 'ConflictError'],
])(
  'reports a rejection as such, not as an unknown outcome: %s',
  async (_what, call, answers, name) => {
    expect((await failureWith(answers, call)).failure.name).toBe(name);
  },
);

it.each<[string | number, Answer]>([
  ...[400, 401, 402, 403, 404, 422, 301, 304].map(
    (status) => [status, [status, {}]] as [number, Answer],
  ),
  ['30 MB that are not JSON', [200, `{"a":"${' '.repeat(30_000_000)}`]],
  ['millions of tiny lists', [200, `[${'[],'.repeat(2_000_000)}1]`]],
  ['100,000 levels', [200, '['.repeat(100_000) + ']'.repeat(100_000)]],
])('does not retry after %s', async (_what, answer) => {
  expect((await failureWith([answer])).received).toHaveLength(1);
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
    const { received, client } = mockedClient([...times(20, () => throttled(0.01)), GOOD]);
    expect(await client.request(readCall())).toEqual({ name: 'Acme' });
    expect(received).toHaveLength(21);
    const mixed = [[500], [500], throttled(0.01), throttled(0.01), [500], [500], GOOD] as Answer[];
    const { failure, received: sent } = await failureWith(mixed);
    expect([failure.name, sent.length]).toEqual(['ServerError', 6]);
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

  it('fails immediately and names the reset when the wait is longer than the run allows', async () => {
    const before = Date.now();
    const daily = throttled(3_600, { 'X-RateLimit-Remaining-Day': '0' });
    for (const [answer, limit] of [
      [throttled(3_600), 'rate'],
      [daily, 'daily'],
    ] as const) {
      const { failure, received } = await failureWith([answer]);
      expect(failure).toBeInstanceOf(RateLimitError);
      expect(failure).toMatchObject({ code: 'operational_rate_limit_exceeded', status: 429 });
      const resetsAt = Date.parse(String(failure.details.resets_at));
      expect(resetsAt - before).toBeGreaterThanOrEqual(3_600_000);
      expect(resetsAt - Date.now()).toBeLessThanOrEqual(3_600_000);
      expect(failure.message).toBe(
        `The ${limit} limit of this API key is used up and resets at ${formatMoment(resetsAt)}, longer than this run may wait`,
      );
      expect(received).toHaveLength(1);
    }
  });

  it("is no limit of the key when a 503 requires a day's wait", async () => {
    const { failure, received } = await failureWith([[503, '', { 'Retry-After': '86400' }]]);
    expect(failure).toMatchObject({ name: 'RateLimitError', status: 503 });
    expect(failure.message).toMatch(
      /^The service returned a server error; the service asked to retry at /,
    );
    expect(received).toHaveLength(1);
  });

  it('limits later requests to the limit per minute that the 429 states', async () => {
    const answers = [throttled(0.01, { 'X-RateLimit-Limit': '5' }), GOOD];
    const { received, client } = mockedClient(answers, { windowMs: 60_000 });
    await client.request(readCall());
    const stop = new AbortController();
    const later = times(12, async () => await client.request(readCall(), { signal: stop.signal }));
    await sleep(300);
    stop.abort();
    await Promise.allSettled(later);
    expect(received.length).toBeLessThanOrEqual(2 + 5);
  });

  it('makes all clients of the key wait', async () => {
    const { received, settings, client } = mockedClient([throttled(0.5), GOOD]);
    const other = Client.open(settings, QUICK);
    const first = client.request(readCall({ path: '/v1/first' }));
    await until(() => received.length > 0);
    // Leaves time for the response to arrive.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([first, other.request(readCall({ path: '/v1/second' }))]);
    const [refused, ...later] = received;
    expect(later).toHaveLength(2);
    for (const { at } of later) expect(at - refused!.at).toBeGreaterThanOrEqual(499);
  });

  it.each([-86_400_000, 86_400_000])(
    'is retried in time if the local clock is %i ms off',
    async (byMs) => {
      const there = Date.now() - byMs;
      const headers = {
        date: new Date(there).toUTCString(),
        'x-ratelimit-reset': String(Math.ceil(there / 1000) + 1),
      };
      const { client } = mockedClient([
        [429, { error: 'operational_rate_limit_exceeded' }, headers],
        GOOD,
      ]);
      await expect(client.request(readCall())).resolves.toEqual({ name: 'Acme' });
    },
  );
});

describe('when reading a response throws', () => {
  const words = { code: 'x', message: 'm', hint: 'h' };
  const bug = new TypeError('x is not a function');
  const ours = (cause: string) =>
    `This node could not read the response because of a bug in this package (${cause})`;
  const throwing = (call: Call<unknown>, thrown: unknown): Call<unknown> => ({
    ...call,
    read: () => {
      throw thrown;
    },
  });

  it.each<[string, unknown, string, number]>([
    ['a bug', bug, ours('TypeError: x is not a function'), 1],
    ['a text instead of an error', 'a text', ours('a text'), 1],
    ['an invalid response error', new InvalidResponseError(words), 'm', 4],
    ['a deliberate failure', new NotFoundError(words), 'm', 1],
  ])('fails a read, and leaves a change uncertain: %s', async (_what, thrown, message, tries) => {
    const effect = await failureWith([[201, {}]], throwing(effectCall, thrown));
    expect(effect.failure.name).toBe('UnknownOutcomeError');
    expect(effect.received).toHaveLength(1);
    const read = await failureWith([[200, {}]], throwing(readCall(), thrown));
    expect(read.failure.message).toBe(message);
    expect(read.received).toHaveLength(tries);
  });

  it("reports a bug as this package's own fault, with its cause, and not as a wrong Base URL", async () => {
    const { failure } = await failureWith([[200, {}]], throwing(readCall(), bug));
    expect(failure).toMatchObject({ code: 'own_fault', cause: bug });
    expect(everythingOf(failure)).not.toContain('Base URL');
  });
});

it('shortens very long texts in the error', async () => {
  const LONG = 'x'.repeat(10 * 1024 * 1024);
  const answers: Answer[] = [
    [400, { message: LONG, error: LONG, [LONG]: LONG }],
    [400, { detail: [{ loc: [LONG], msg: LONG }] }],
    [500, `<html>${LONG}</html>`],
    [302, LONG, { location: `http://127.0.0.1/${'x'.repeat(4_000)}` }],
    [200, LONG],
  ];
  const long = { path: `/v1/${'x'.repeat(8_000)}` };
  for (const answer of answers) {
    for (const call of [readCall(long), { ...effectCall, ...long }]) {
      const { message, hint, details } = (await failureWith([answer], call)).failure;
      expect(message.length).toBeLessThan(1_000);
      expect(hint.length).toBeLessThan(500);
      expect(JSON.stringify(details).length).toBeLessThan(2_000);
    }
  }
});

describe('the API key', () => {
  const echo = (make: (key: string) => Answer) => (request: Received) =>
    make(String(request.headers['x-api-key']));

  it.each<[string, (key: string) => Answer]>([
    ['400 that echoes it as the message', (key) => [400, { error: 'bad', message: key }]],
    ['401 that echoes it in a sentence', (key) => [401, { detail: `No such key ${key}!` }]],
    ['403 that echoes it as the code', (key) => [403, { error: key }]],
    ['404 that nests it', (key) => [404, { detail: { error: 'x', [key]: key } }]],
    ['422 with problems', (key) => [422, { detail: [{ loc: ['header', key], msg: key }] }]],
    ['429', (key) => [429, { error: 'x', message: key }, { 'Retry-After': '9999' }]],
    ['500 as HTML', (key) => [500, `<pre>X-API-Key: ${key}</pre>`]],
    ['200 as HTML', (key) => [200, `<pre>X-API-Key: ${key}</pre>`]],
    ['a redirect', (key) => [302, '', { location: `http://127.0.0.1:9/?key=${key}` }]],
    ['a message that is cut inside it', (key) => [400, { message: 'x'.repeat(490) + key }]],
    [
      'an odd escape of it',
      (key) => [400, `{"message":"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}"}`],
    ],
  ])('is in no error after %s', async (_what, make) => {
    for (const call of [readCall(), effectCall]) {
      const { failure, settings } = await failureWith([echo(make)], call);
      const shown = everythingOf(failure);
      expect(shown).not.toContain(settings.apiKey.slice(0, 12));
      expect(shown).not.toMatch(/Axios/i);
    }
  });

  it("is redacted in the service's code, message and fields, which are kept", async () => {
    const body = (key: string) => ({ error: 'bad_thing', message: `Key ${key} is odd`, key, n: 3 });
    const { failure } = await failureWith([echo((key) => [400, body(key)])]);
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
      const { failure, received } = await failureWith([away], call);
      expect(failure).toMatchObject({
        name: 'RedirectRefusedError',
        status,
        message: expect.stringContaining("doesn't follow"),
      });
      expect(received).toHaveLength(1);
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
