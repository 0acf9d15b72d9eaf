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
import { deserted, json, TestService, text, type Answering } from './support/service';
import { QUICK } from './support/timing';

afterAll(TestService.stopAll);

const nested = (open: string, close: string, inside = '1', depth = 20_000): string =>
  open.repeat(depth) + inside + close.repeat(depth);

it('fails a read once, and leaves a change uncertain, after a deeply nested response', async () => {
  const { failure, received } = await failedCall(text(nested('[', ']')));
  expect(failure.message).toBe('The response is nested more than 200 levels deep');
  expect(received).toHaveLength(1);
  const effect = await failedCall(text(nested('[', ']')), effectCall);
  expect(effect.failure.name).toBe('UnknownOutcomeError');
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
  ])('fails a read, and leaves a change uncertain: %s', async (_what, thrown, message, tries) => {
    const effect = await failedCall(json({}, 201), throwing(effectCall, thrown));
    expect(effect.failure.name).toBe('UnknownOutcomeError');
    expect(effect.received).toHaveLength(1);
    const read = await failedCall(json({}), throwing(readCall(), thrown));
    expect(read.failure.message).toBe(message);
    expect(read.received).toHaveLength(tries);
  });

  it("reports a bug as this package's own fault, with its cause, and not as a wrong Base URL", async () => {
    const { failure } = await failedCall(json({}), throwing(readCall(), bug));
    expect(failure).toMatchObject({ code: 'own_fault', cause: bug });
    expect(everythingOf(failure)).not.toContain('Base URL');
  });

  it('keeps the API key out of the error, even when the thrown error contains it', async () => {
    const { client, settings } = await serviceWith();
    const { apiKey: key } = settings;
    const said = { code: 'x', message: key, hint: key, details: { seen: key } };
    for (const call of [readCall(), effectCall]) {
      const failing = throwing(call, new InvalidResponseError(said));
      expect(everythingOf(await failureOf(client.request(failing)))).not.toContain(key);
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

it('uses no permit when the connection is refused', async () => {
  const limits = { requestsPerMinute: 2 };
  const settings = settingsFor({ baseUrl: await deserted() }, limits);
  const client = Client.open(settings, { ...QUICK, windowMs: 60_000 });
  const failures = times(30, async () => await failureOf(client.request(readCall())));
  for (const failure of failures) {
    expect(await failure).toMatchObject({ code: 'connection_failed' });
  }
});

describe('very long texts', () => {
  const LONG = 'x'.repeat(10 * 1024 * 1024);
  const LONG_NUMBER = '9'.repeat(4_000);
  const fields = Object.fromEntries(times(500, (n) => [`f${n}`, 'y'.repeat(400)]));
  const compressed: Answering = (_request, response) => {
    response.writeHead(400, { 'content-encoding': 'gzip' }).end(gzipSync(LONG));
  };
  const ECHOES: ReadonlyArray<[string, Answering]> = [
    ['a message', json({ message: LONG }, 400)],
    ['a code', json({ code: LONG, error: LONG }, 400)],
    ['a field', json({ error: 'x_y', seen: LONG, [LONG]: 1 }, 400)],
    ['many fields', json({ error: 'x_y', ...fields }, 400)],
    ['a list', json({ error: 'x_y', seen: times(100_000, () => 'x') }, 400)],
    ['a list of problems', json({ detail: [{ loc: [LONG], msg: LONG }] }, 400)],
    ['a page', text(`<html>${LONG}</html>`, 500)],
    ['a compressed page', compressed],
    ['headers', json({}, 429, { 'retry-after': LONG_NUMBER, 'x-ratelimit-limit': LONG_NUMBER })],
    ['a redirect', text(LONG, 302, { location: `http://127.0.0.1/${'x'.repeat(4_000)}` })],
    ['text that is not JSON', text(LONG)],
  ];

  it.each(ECHOES)('are shortened in the error when the service returns %s', async (_what, echo) => {
    for (const call of [readCall(), effectCall]) {
      const { message, hint, details } = (await failedCall(echo, call)).failure;
      expect(message.length).toBeLessThan(1_000);
      expect(hint.length).toBeLessThan(500);
      expect(JSON.stringify(details).length).toBeLessThan(12_000);
      for (const value of Object.values(details)) {
        expect(JSON.stringify(value).length).toBeLessThanOrEqual(510);
      }
    }
  });

  it('are shortened in the message when the request path has 8,000 characters', async () => {
    const path = `/v1/${'x'.repeat(8_000)}`;
    const { failure } = await failedCall(text('', 500), { ...effectCall, path });
    expect(failure.message.length).toBeLessThan(500);
  });
});
