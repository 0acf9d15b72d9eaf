/** Tests streamed responses: they are retried before the first byte and fail after it. */
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import type { Client, Download } from '../../../src/client/client';
import { InvalidResponseError } from '../../../src/client/errors';
import { failureOf, serviceWith } from './support/client';
import { drip, inTurn, reset, silence, TestService, text, type Answering } from './support/service';
import { until } from './support/timing';

afterAll(TestService.stopAll);

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

/** Downloads a complete body as text. */
const download = async (client: Client) => await textOf(await client.download(bodyCall));

/** Sends a part of a body, then continues with `then`. */
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

function compressed(body: string, status: number): Answering {
  return (_request, response) => {
    response.writeHead(status, { ...CSV, 'content-encoding': 'gzip' }).end(gzipSync(body));
  };
}

it.each([
  ['every byte in order', `name\r\n${'ü,"a""b"\r\n'.repeat(200_000)}`],
  ['no bytes for an empty body', ''],
])('returns %s', async (_what, body) => {
  const { client } = await serviceWith(text(body, 200, CSV));

  expect(await download(client)).toBe(body);
});

it('requests an uncompressed response, but decompresses a compressed one', async () => {
  const { service, client } = await serviceWith(compressed('a,b', 200));

  expect(await download(client)).toBe('a,b');
  expect(service.received[0]?.headers).toMatchObject({
    accept: 'text/csv',
    'accept-encoding': 'identity',
  });
});

it('decompresses an error response', async () => {
  const { client } = await serviceWith(compressed('{"error":"company_not_found"}', 404));

  expect(await failureOf(download(client))).toMatchObject({ code: 'company_not_found' });
});

it('pauses the download while its body is not consumed', async () => {
  let sent = 0;
  const { client } = await serviceWith((_request, response) => {
    response.writeHead(200, CSV);
    const more = (): void => {
      while (sent < 64 && response.write(Buffer.alloc(1024 * 1024, 'a'))) sent += 1;
      sent += 1;
      if (sent < 64) response.once('drain', more);
      else response.end();
    };
    more();
  });
  const body = await client.download(bodyCall);
  await new Promise((resolve) => setTimeout(resolve, 300));

  expect(sent).toBeLessThan(64);
  expect((await textOf(body)).length).toBeGreaterThanOrEqual(63 * 1024 * 1024);
});

/** Closes the connection after the headers. */
const onlyHeaders: Answering = (request, response) => {
  response.writeHead(200, { ...CSV, 'content-length': 10 });
  response.flushHeaders();
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
])('retries the request before the first byte after %s', async (_what, answering) => {
  const answers = inTurn(answering, text('a,b', 200, CSV));
  const { service, client } = await serviceWith(answers, { requestTimeoutMs: 500 });

  expect(await download(client)).toBe('a,b');
  expect(service.received).toHaveLength(2);
});

describe('after the first byte', () => {
  const TOO_SLOW = 'it arrived at less than 1000 bytes per second$';

  it.each<[string, Answering, string?]>([
    ['a closed connection', beginning((_request, response) => response.destroy())],
    ['a reset', beginning((request) => request.socket.resetAndDestroy())],
    ['a short body', beginning((request) => request.socket.end(), { 'content-length': 1000 })],
    ['a pause longer than the timeout', beginning(silence), 'no'],
    ['1 byte every 30 ms', drip(30, 'x'), TOO_SLOW],
    ['15 bytes every 20 ms', drip(20, 'x'.repeat(15)), TOO_SLOW],
  ])('fails without a retry after %s', async (_what, answering, reason = 'the connection') => {
    const { service, client } = await serviceWith(answering, { requestTimeoutMs: 300 });
    const failure = await failureOf(download(client));

    expect(failure).toMatchObject({ name: 'ConnectionError', code: 'broken_off' });
    expect(failure.message).toMatch(new RegExp(`^The response was cut off: ${reason}`));
    expect(service.received).toHaveLength(1);
    await until(() => service.closed === 1);
  });

  it.each([
    ['one byte every 50 ms', 'x', 50, 600],
    ['3 kB per second', 'x'.repeat(300), 100, 400],
  ])('accepts %s for longer than the timeout', async (_what, piece, everyMs, requestTimeoutMs) => {
    const { client } = await serviceWith(drip(everyMs, piece, 15), { requestTimeoutMs });

    expect(await download(client)).toBe(piece.repeat(15));
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

  it('fails as cancelled and closes the connection on Stop', async () => {
    const { service, client } = await serviceWith(beginning(silence));
    const stop = new AbortController();
    const body = await client.download(bodyCall, { signal: stop.signal });
    const reading = failureOf(textOf(body));
    stop.abort();

    expect((await reading).name).toBe('CancelledError');
    await until(() => service.closed === 1);
  });

  it('closes the connection when the consumer stops reading', async () => {
    const { service, client } = await serviceWith(beginning(silence));
    const chunks = (await client.download(bodyCall))[Symbol.asyncIterator]();
    await chunks.next();
    await chunks.return?.();

    await until(() => service.closed === 1);
    expect(service.closed).toBe(1);
  });
});
