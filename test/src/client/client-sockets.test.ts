import { pipeline, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { Client, type Download } from '../../../src/client/client';
import { InvalidResponseError } from '../../../src/client/errors';
import { effectCall, outcomeOf, readCall, serviceWith, settingsFor } from './support/client';
import {
  deserted,
  drip,
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
  const slow: Answering = (...exchange) => setTimeout(() => good(...exchange), 100);
  const { service, client } = await serviceWith(slow);
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

const CSV = { 'content-type': 'text/csv' };

const bodyCall: Download<AsyncIterable<Uint8Array>> = {
  method: 'GET',
  path: '/v1/lists/7/export.csv',
  repeatable: true,
  accept: 'text/csv',
  read: ({ start, body }) => {
    if (!Buffer.from(start).toString().startsWith('<')) return body;
    throw new InvalidResponseError({ code: 'invalid_response', message: 'HTML', hint: '-' });
  },
};

/** Longer than a key, of which the beginning could be in the last bytes. */
const FIRST = 'a,b\r\n'.repeat(20);

const download = async (client: Client) => await textOf(await client.download(bodyCall));

function beginning(then: Answering, headers: Record<string, string | number> = {}): Answering {
  return (request, response) => {
    response.writeHead(200, { ...CSV, ...headers });
    response.write(FIRST, () => {
      setTimeout(() => {
        then(request, response);
      }, 20);
    });
  };
}

const compressed =
  (body: string, status: number): Answering =>
  (_request, response) => {
    response.writeHead(status, { ...CSV, 'content-encoding': 'gzip' }).end(gzipSync(body));
  };

describe('a download', () => {
  it.each([
    ['every byte in order', `name\r\n${'ü,"a""b"\r\n'.repeat(200_000)}`],
    ['no bytes for an empty body', ''],
  ])('returns %s', async (_what, body) => {
    const { client } = await serviceWith(text(body, 200, CSV));
    expect(await download(client)).toBe(body);
  });

  it('redacts the API key in the body', async () => {
    const { client } = await serviceWith((request, response) => {
      response.writeHead(200, CSV).end(`a,${String(request.headers['x-api-key'])}`);
    });
    expect(await download(client)).toBe('a,[API key]');
  });

  it('requests an uncompressed response, but decompresses a compressed one', async () => {
    const { received, client } = await serviceWith(compressed('a,b', 200));
    expect(await download(client)).toBe('a,b');
    const headers = { accept: 'text/csv', 'accept-encoding': 'identity' };
    expect(received).toMatchObject([{ headers }]);
    const missing = await serviceWith(compressed('{"error":"company_not_found"}', 404));
    expect((await failureOf(download(missing.client))).name).toBe('NotFoundError');
  });

  it('waits while its body is not consumed', async () => {
    let sent = 0;
    const bytes = function* () {
      for (; sent < 64; sent += 1) yield Buffer.alloc(1024 * 1024, 'a');
    };
    const { client } = await serviceWith((_request, response) => {
      pipeline(Readable.from(bytes()), response.writeHead(200, CSV), () => undefined);
    });
    const body = await client.download(bodyCall);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent).toBeLessThan(64);
    expect(await textOf(body)).toHaveLength(64 * 1024 * 1024);
  });

  const onlyHeaders: Answering = (request, response) => {
    response.writeHead(200, { ...CSV, 'content-length': 10 }).flushHeaders();
    setTimeout(() => request.socket.destroy(), 20);
  };

  it.each<[string, Answering]>([
    ['a reset', reset],
    ['no response within the timeout', silence],
    ['500', text('', 500)],
    ['503', text('', 503, { 'retry-after': '0' })],
    ['429', text('{"retry_after_seconds":0.01}', 429)],
    ['an unreadable beginning of the body', text('<html></html>', 200)],
    ['a connection that closes after the headers', onlyHeaders],
  ])('is requested again after %s before the first byte', async (_what, answering) => {
    const answers = inTurn(answering, text('a,b', 200, CSV));
    const { received, client } = await serviceWith(answers, { requestTimeoutMs: 500 });
    expect(await download(client)).toBe('a,b');
    expect(received).toHaveLength(2);
  });

  const TOO_SLOW = 'it arrived at less than 1000 bytes per second$';

  it.each<[string, Answering, string?]>([
    ['a closed connection', beginning((_request, response) => response.destroy())],
    ['a reset', beginning((request) => request.socket.resetAndDestroy())],
    ['a short body', beginning((request) => request.socket.end(), { 'content-length': 1000 })],
    ['a pause longer than the timeout', beginning(silence), 'no'],
    ['1 byte every 30 ms', drip(30, 'x'), TOO_SLOW],
    ['15 bytes every 20 ms', drip(20, 'x'.repeat(15)), TOO_SLOW],
  ])(
    'fails without a retry after the first byte and %s',
    async (_what, answering, reason = 'the connection') => {
      const { service, client } = await serviceWith(answering, { requestTimeoutMs: 300 });
      const failure = await failureOf(download(client));
      expect(failure).toMatchObject({ name: 'ConnectionError', code: 'broken_off' });
      expect(failure.message).toMatch(new RegExp(`^The response was cut off: ${reason}`));
      expect(service.received).toHaveLength(1);
      await until(() => service.closed === 1);
    },
  );

  it.each([
    ['one byte every 50 ms', 'x', 50, 600],
    ['3 kB per second', 'x'.repeat(300), 100, 400],
  ])('accepts %s for longer than the timeout', async (_what, piece, everyMs, requestTimeoutMs) => {
    const { client } = await serviceWith(drip(everyMs, piece, 15), { requestTimeoutMs });
    expect(await download(client)).toBe(piece.repeat(15));
  });

  it('may begin after the timeout of slow requests, but not pause for longer than the usual one', async () => {
    const begins: Answering = (request, response) => {
      setTimeout(() => {
        beginning(silence)(request, response);
      }, 400);
    };
    const { client } = await serviceWith(begins, { requestTimeoutMs: 200, slowTimeoutMs: 3_000 });
    const failure = await failureOf(client.download({ ...bodyCall, isSlow: true }).then(textOf));
    expect(failure.message).toMatch('cut off: no complete response within 0.2 s');
  });

  it('does not count the time of the consumer toward the timeout', async () => {
    const late = beginning((_request, response) => {
      setTimeout(() => response.end('c,d'), 50);
    });
    const { client } = await serviceWith(late, { requestTimeoutMs: 200 });
    const body = await client.download(bodyCall);
    let read = '';
    for await (const chunk of body) {
      read += Buffer.from(chunk).toString();
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    expect(read).toBe(`${FIRST}c,d`);
  });

  it('closes the connection when the execution or the consumer stops', async () => {
    const { service, client } = await serviceWith(beginning(silence));
    const stop = new AbortController();
    const body = await client.download(bodyCall, { signal: stop.signal });
    const reading = failureOf(textOf(body));
    stop.abort();
    expect((await reading).name).toBe('CancelledError');
    await until(() => service.closed === 1);
    const chunks = (await client.download(bodyCall))[Symbol.asyncIterator]();
    await chunks.next();
    expect(service.closed).toBe(1);
    await chunks.return?.();
    await until(() => service.closed === 2);
  });
});
