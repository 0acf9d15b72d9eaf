import { brotliCompressSync, gzipSync } from 'node:zlib';

import { Client, type Call } from '../../../src/client/client';
import { effectCall, outcomeOf, readCall, serviceWith, settingsFor } from './support/client';
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
import { failureOf, QUICK, until } from './support/timing';

afterAll(TestService.stopAll);

const good = json({ name: 'Acme' });

const cut: Answering = (received, response) => {
  response.writeHead(200, { 'content-length': 1_000 });
  response.write('{"name":', () => received.socket.destroy());
};

it.each<[string, Answering]>([
  ['a reset', reset],
  ['a truncated response', cut],
  ['no response', silence],
])('repeats reads only, up to three times, after %s', async (_what, bad) => {
  const outcome = async (answering: Answering, call = readCall()) =>
    await outcomeOf(await serviceWith(answering, { requestTimeoutMs: 250 }), call);
  expect(await outcome(bad)).toBe('4 × ConnectionError');
  expect(await outcome(inTurn(bad, bad, bad, good))).toBe('4 × {"name":"Acme"}');
  expect(await outcome(bad, effectCall)).toBe('1 × UnknownOutcomeError');
});

it.each([
  ['may be repeated', readCall()],
  ['must not happen twice', effectCall],
])('a call that %s is sent four times when the connection is refused', async (_which, call) => {
  const client = Client.open(settingsFor({ baseUrl: await deserted() }), QUICK);
  const beforeSend = jest.fn();
  let counted = 0;
  const sent = (times: number) => (counted += times);
  const error = await failureOf(client.request(call, { beforeSend, sent }));
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
  expect(beforeSend).toHaveBeenCalledTimes(4);
  expect(counted).toBe(0);
});

it('sends a call that must not be repeated over a connection of its own', async () => {
  const { service, client } = await serviceWith(good);
  for (const call of [readCall(), effectCall, effectCall, readCall()]) await client.request(call);
  expect(service.connections).toBe(3);
  await until(() => service.closed === 2);
});

it('sends a retry over a new connection, because other kept ones may be dead as well', async () => {
  const waiting: Array<() => void> = [];
  const together: Answering = (...exchange) => {
    waiting.push(() => good(...exchange));
    if (waiting.length === 5) for (const answer of waiting) answer();
  };
  const { service, client } = await serviceWith(together);
  await Promise.all(times(5, async () => await client.request(readCall())));
  const kept = new Set(service.received.map(({ socket }) => socket));
  service.answer((...exchange) => (kept.has(exchange[0].socket) ? reset : good)(...exchange));
  await client.request(readCall());
  expect(kept.size).toBe(5);
  expect(service.received).toHaveLength(5 + 2);
});

it.each([
  ['a request is in flight, and closes its connection', silence, 1],
  ['waiting to retry, and sends nothing more', json({}, 503, { 'Retry-After': '4' }), 0],
  ['the key is paused, and sends nothing more', json({}, 429, { 'Retry-After': '4' }), 0],
])('rejects immediately when cancelled while %s', async (_what, answering, closed) => {
  const { service, client } = await serviceWith(answering, { requestTimeoutMs: 600_000 });
  const stop = new AbortController();
  const rejected = client.request(readCall(), { signal: stop.signal });
  await until(() => service.received.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stoppedAt = Date.now();
  stop.abort();
  expect((await failureOf(rejected)).name).toBe('CancelledError');
  expect(Date.now() - stoppedAt).toBeLessThan(2_000);
  expect(service.received).toHaveLength(1);
  await until(() => service.closed >= closed);
});

it.each<[string, BufferEncoding]>([
  ['application/json', 'utf8'],
  ['application/json; charset=ISO-8859-1', 'latin1'],
  ['application/json; charset="utf-16le"', 'utf16le'],
  ['application/json; charset=unheard-of', 'utf8'],
])('decodes a response of the type %s', async (type, encoding) => {
  const body = Buffer.from('{"name":"Müller"}', encoding);
  const { client } = await serviceWith((_request, response) =>
    response.writeHead(200, { 'content-type': type }).end(body),
  );
  expect(await client.request(readCall())).toEqual({ name: 'Müller' });
});

const CSV = { 'content-type': 'text/csv' };

const fileCall: Call<string> = {
  method: 'GET',
  path: '/v1/lists/7/export.csv',
  repeatable: true,
  fileType: 'text/csv',
  read: ({ bytes }) => bytes.toString('latin1'),
};

const ZIPPED = gzipSync('a,b'.repeat(1_000));
const PACKED = brotliCompressSync('a,b'.repeat(1_000));

const encoded =
  (encoding: string, bytes: Uint8Array, status = 200): Answering =>
  (_request, response) => {
    response.writeHead(status, { ...CSV, 'content-encoding': encoding }).end(bytes);
  };

describe('a file', () => {
  it.each([
    ['every byte in order', `name\r\n${'\xff\x00"a""b"\r\n'.repeat(200_000)}`],
    ['no bytes for an empty body', ''],
  ])('returns %s', async (_what, body) => {
    const bytes = Buffer.from(body, 'latin1');
    const { client } = await serviceWith((_request, response) =>
      response.writeHead(200, CSV).end(bytes),
    );
    expect((await client.request(fileCall)) === body).toBe(true);
  });

  it('redacts the API key in the body', async () => {
    const { received, client } = await serviceWith((request, response) => {
      response.writeHead(200, CSV).end(`a,${String(request.headers['x-api-key'])}`);
    });
    expect(await client.request(fileCall)).toBe('a,[API key]');
    expect(received).toMatchObject([{ headers: { accept: 'text/csv' } }]);
  });

  it.each<[string, Answering]>([
    ['a short body', cut],
    ['a gzip body without its end', encoded('gzip', ZIPPED.subarray(0, -10))],
    ['a brotli body without its end', encoded('br', PACKED.subarray(0, -3))],
    ['an encoding that was not asked for', encoded('zstd', Buffer.from('a,b'))],
    ['a closed connection', (_request, response) => response.write('a,', () => response.destroy())],
    ['503', text('', 503, { 'retry-after': '0' })],
  ])('is requested again after %s', async (_what, answering) => {
    const { received, client } = await serviceWith(inTurn(answering, encoded('gzip', ZIPPED)));
    expect(await client.request(fileCall)).toBe('a,b'.repeat(1_000));
    expect(received).toHaveLength(2);
  });
});
