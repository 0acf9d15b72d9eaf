/** Tests that no error, log or redirect contains the API key, even if the response repeats it. */
import { Client } from '../../../src/client/client';
import {
  effectCall,
  everythingOf,
  failedCall,
  failureOf,
  readCall,
  serviceWith,
  settingsFor,
} from './support/client';
import { json, reset, silence, TestService, text, type Answering } from './support/service';
import { QUICK } from './support/timing';

const TIMING = { requestTimeoutMs: 150 };

afterAll(TestService.stopAll);

/** Sends a response that repeats the request's API key. */
const echo =
  (make: (key: string) => Answering): Answering =>
  (request, response) => {
    make(String(request.headers['x-api-key']))(request, response);
  };

const FAULTS: ReadonlyArray<[string, Answering]> = [
  ['400 that echoes it as the message', echo((key) => json({ error: 'bad', message: key }, 400))],
  ['401 that echoes it in a sentence', echo((key) => json({ detail: `No such key ${key}!` }, 401))],
  ['403 that echoes it as the code', echo((key) => json({ error: key }, 403))],
  ['404 that nests it', echo((key) => json({ detail: { error: 'x', a: [{ [key]: key }] } }, 404))],
  ['422 with problems', echo((key) => json({ detail: [{ loc: ['header', key], msg: key }] }, 422))],
  ['402', echo((key) => json({ error: 'credit_exhausted', message: key, key }, 402))],
  ['429', echo((key) => json({ error: 'x', message: key }, 429, { 'Retry-After': '9999' }))],
  ['500 as HTML', echo((key) => text(`<pre>X-API-Key: ${key}</pre>`, 500))],
  ['200 as HTML', echo((key) => text(`<pre>X-API-Key: ${key}</pre>`))],
  ['truncated JSON', echo((key) => text(`{"key":"${key}`))],
  ['a redirect', echo((key) => text('', 302, { location: `http://127.0.0.1:9/?key=${key}` }))],
  ['a redirect with a body', echo((key) => json({ message: key }, 307, { location: '/' }))],
  ['no response', silence],
  ['a reset', reset],
  ['418', echo((key) => json({ error: { code: key, message: key } }, 418))],
];

describe('an error', () => {
  it.each(FAULTS)('does not contain the API key after %s', async (_name, answering) => {
    const { service, settings, client } = await serviceWith(answering, TIMING);
    for (const call of [readCall(), effectCall]) {
      const shown = everythingOf(await failureOf(client.request(call)));
      expect(shown).not.toContain(settings.apiKey);
      expect(shown).not.toMatch(/Axios/i);
    }
    expect(service.received[0]!.headers['x-api-key']).toBe(settings.apiKey);
  });

  it('does not contain part of the API key when its message is truncated inside the key', async () => {
    for (const start of [498, 490, 480, 470]) {
      const message = (key: string) => `${'x'.repeat(start)}${key} and more`;
      const { settings, client } = await serviceWith(
        echo((key) => json({ message: message(key) }, 400)),
      );
      const shown = everythingOf(await failureOf(client.request(readCall())));
      expect(shown.includes(settings.apiKey.slice(0, 4))).toBe(false);
    }
  });
});

it('keeps the code, message and fields of the service, and redacts the key in them', async () => {
  const { failure } = await failedCall(
    echo((key) => json({ error: 'bad_thing', message: `Key ${key} is odd`, seen: key, n: 3 }, 400)),
  );
  expect(failure).toMatchObject({
    code: 'bad_thing',
    message: expect.stringContaining('Key [API key] is odd'),
    details: { seen: '[API key]', n: 3 },
  });
});

const REDIRECTS = [301, 302, 303, 307, 308];
it.each(REDIRECTS)('refuses a redirect (%i) and sends nothing to its target', async (status) => {
  const elsewhere = await TestService.start();
  const away = text('', status, { location: `${elsewhere.baseUrl}/v1/companies` });
  for (const call of [readCall(), effectCall]) {
    const { failure, received } = await failedCall(away, call);
    expect(failure).toMatchObject({
      name: 'RedirectRefusedError',
      status,
      message: expect.stringContaining("doesn't follow"),
      hint: expect.stringContaining('Base URL'),
    });
    expect(received).toHaveLength(1);
  }
  expect(elsewhere.connections).toBe(0);
});

describe('a successful response that repeats the key', () => {
  const KEY = 'ci/test+5ecret"0';

  it.each([
    ['unchanged', KEY],
    ['URL-encoded', encodeURIComponent(KEY)],
  ])('is returned without the key when it is %s', async (_name, spelled) => {
    const seen = { domain: 'acme.com', seen: `X-API-Key: ${spelled}`, [spelled]: [{ spelled }] };
    const service = await TestService.start(json(seen, 200, { location: `/v1/jobs/${spelled}` }));
    const client = Client.open(settingsFor(service, { apiKey: KEY }), QUICK);
    const call = readCall({
      read: ({ json: rows, text: body, headers }) => ({ rows, body, headers }),
    });
    const shown = await client.request(call);
    expect(shown).toMatchObject({ rows: { domain: 'acme.com', seen: expect.any(String) } });
    expect(everythingOf(shown)).not.toContain(spelled);
    expect(everythingOf(shown)).not.toContain(KEY);
  });

  it('is returned unchanged when the key is so short that any name can contain it', async () => {
    const service = await TestService.start(json({ domain: 'acme.com' }));
    const client = Client.open(settingsFor(service, { apiKey: 'acme' }), QUICK);
    expect(await client.request(readCall())).toEqual({ domain: 'acme.com' });
  });
});
