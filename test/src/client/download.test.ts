import { gzipSync } from 'node:zlib';

import type { Client, Download } from '../../../src/client/client';
import { InvalidResponseError } from '../../../src/client/errors';
import { clientFor, everythingOf, failureOf } from './support/client';
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
import { until } from './support/timing';

afterAll(TestService.stopAll);

const CSV = { 'content-type': 'text/csv' };

/** A download whose body is read whole, as text. */
async function download(client: Client, signal?: AbortSignal): Promise<string> {
  const body = await client.download(bodyCall(), { signal });
  return await textOf(body);
}

function bodyCall(): Download<AsyncIterable<Uint8Array>> {
  return {
    method: 'GET',
    path: '/v1/lists/7/export.csv',
    repeatable: true,
    accept: 'text/csv',
    read: ({ start, body }) => {
      if (Buffer.from(start).toString().startsWith('<')) {
        throw new InvalidResponseError({ code: 'invalid_response', message: 'HTML', hint: '-' });
      }
      return body;
    },
  };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Sends some of a body, then does something else. */
function beginning(then: Answering, headers: Record<string, string | number> = {}): Answering {
  return (request, response) => {
    response.writeHead(200, { ...CSV, ...headers });
    response.write('a,b\r\n', () => {
      setTimeout(() => {
        then(request, response);
      }, 20);
    });
  };
}

it('gives every byte, in order, as it came', async () => {
  const body = `name\r\n${'ü,"a""b"\r\n'.repeat(200_000)}`;
  const service = await TestService.start(text(body, 200, CSV));

  expect(await download(await clientFor(service))).toBe(body);
});

it('of an empty body gives nothing', async () => {
  const service = await TestService.start(text('', 200, CSV));

  expect(await download(await clientFor(service))).toBe('');
});

it('unpacks what comes packed all the same, and asks for it unpacked', async () => {
  const service = await TestService.start((_request, response) => {
    response.writeHead(200, { ...CSV, 'content-encoding': 'gzip' }).end(gzipSync('a,b'));
  });

  expect(await download(await clientFor(service))).toBe('a,b');
  expect(service.received[0]?.headers).toMatchObject({
    accept: 'text/csv',
    'accept-encoding': 'identity',
  });
});

it('does not read faster than it is read', async () => {
  let sent = 0;
  const service = await TestService.start((_request, response) => {
    response.writeHead(200, CSV);
    const more = (): void => {
      while (sent < 64 && response.write(Buffer.alloc(1024 * 1024, 'a'))) sent += 1;
      sent += 1;
      if (sent < 64) response.once('drain', more);
      else response.end();
    };
    more();
  });
  const body = await (await clientFor(service)).download(bodyCall());
  await new Promise((resolve) => setTimeout(resolve, 300));

  expect(sent).toBeLessThan(64);
  expect((await textOf(body)).length).toBeGreaterThanOrEqual(63 * 1024 * 1024);
});

describe('before the first byte', () => {
  it.each<[string, Answering]>([
    ['a reset', reset],
    ['500', text('', 500)],
    ['503', text('', 503, { 'retry-after': '0' })],
    ['429', json({ retry_after_seconds: 0.01 }, 429)],
    ['an unreadable beginning', text('<html></html>', 200)],
    [
      'a connection that closes after the head',
      (request, response) => {
        response.writeHead(200, { ...CSV, 'content-length': 10 });
        response.flushHeaders();
        setTimeout(() => request.socket.destroy(), 20);
      },
    ],
  ])('%s is tried again', async (_what, answering) => {
    const service = await TestService.start(inTurn(answering, text('a,b', 200, CSV)));

    expect(await download(await clientFor(service))).toBe('a,b');
    expect(service.received).toHaveLength(2);
  });

  it('silence is given up after the timeout and tried again', async () => {
    const service = await TestService.start(inTurn(silence, text('a,b', 200, CSV)));

    expect(await download(await clientFor(service, { requestTimeoutMs: 100 }))).toBe('a,b');
  });

  it.each([400, 401, 402, 403, 404, 422])('%i is an error like any other', async (status) => {
    const body = { error: 'because', message: 'No.' };
    const service = await TestService.start(json(body, status));
    const failure = await failureOf(download(await clientFor(service)));

    expect(failure).toMatchObject({ status, message: expect.stringContaining('No') as unknown });
    expect(service.received).toHaveLength(1);
  });

  it('nobody there: says so', async () => {
    const client = await clientFor({ baseUrl: await deserted() });

    expect((await failureOf(download(client))).message).toMatch(/could not be reached/);
  });
});

describe('after the first byte', () => {
  it.each<[string, Answering]>([
    ['less than was announced', beginning((_request, response) => response.destroy())],
    ['a reset', beginning((request) => request.socket.resetAndDestroy())],
    ['an early end', beginning((request) => request.socket.end(), { 'content-length': 1000 })],
  ])('%s is an error, and not a shorter file', async (_what, answering) => {
    const service = await TestService.start(answering);
    const failure = await failureOf(download(await clientFor(service)));

    expect(failure).toMatchObject({
      name: 'ConnectionError',
      code: 'broken_off',
      message: expect.stringMatching(
        /^The answer broke off in the middle: the connection/,
      ) as unknown,
    });
    expect(service.received).toHaveLength(1);
  });

  it('silence is an error after the timeout; a slow body is not', async () => {
    const silent = await TestService.start(beginning(silence));
    const failure = await failureOf(download(await clientFor(silent, { requestTimeoutMs: 200 })));
    expect(failure.message).toMatch(/^The answer broke off in the middle: no/);

    let sent = 0;
    const slow = await TestService.start((_request, response) => {
      response.writeHead(200, CSV);
      const timer = setInterval(() => {
        sent += 1;
        response.write('x');
        if (sent === 15) {
          clearInterval(timer);
          response.end();
        }
      }, 50);
    });
    // Longer in all than the timeout, never silent for so long.
    expect(await download(await clientFor(slow, { requestTimeoutMs: 600 }))).toBe('x'.repeat(15));
  });

  it.each([
    [1, 30],
    [15, 20],
  ])(
    '%d bytes each %d ms never keep silent, and end with an error that says why',
    async (bytes, everyMs) => {
      const service = await TestService.start((_request, response) => {
        response.writeHead(200, CSV);
        const timer = setInterval(() => response.write('x'.repeat(bytes)), everyMs);
        response.on('close', () => {
          clearInterval(timer);
        });
      });
      const client = await clientFor(service, { requestTimeoutMs: 300 });
      const failure = await failureOf(download(client));

      expect(failure).toMatchObject({
        name: 'ConnectionError',
        code: 'broken_off',
        message: 'The answer broke off in the middle: it came slower than 1000 bytes a second',
      });
      await until(() => service.closed === 1);
    },
  );

  it('a slow line of 3 kB a second is fast enough', async () => {
    const service = await TestService.start((_request, response) => {
      response.writeHead(200, CSV);
      let sent = 0;
      const timer = setInterval(() => {
        sent += 1;
        response.write('x'.repeat(300));
        if (sent < 15) return;
        clearInterval(timer);
        response.end();
      }, 100);
    });
    const client = await clientFor(service, { requestTimeoutMs: 400 });
    expect(await download(client)).toHaveLength(15 * 300);
  });

  it('what the reader takes to store it is not held against the service', async () => {
    const service = await TestService.start(
      beginning((_request, response) => {
        setTimeout(() => response.end('c,d'), 50);
      }),
    );
    const body = await (await clientFor(service, { requestTimeoutMs: 200 })).download(bodyCall());
    let read = '';
    for await (const chunk of body) {
      read += Buffer.from(chunk).toString();
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    expect(read).toBe('a,b\r\nc,d');
  });

  it('a packed body that was cut off is an error, and not a shorter file', async () => {
    const packed = gzipSync('a,b\r\n'.repeat(10_000));
    const service = await TestService.start((_request, response) => {
      response.writeHead(200, { ...CSV, 'content-encoding': 'gzip', connection: 'close' });
      response.end(packed.subarray(0, packed.length - 20));
    });
    const failure = await failureOf(download(await clientFor(service)));
    expect(failure.message).toMatch(/damaged or was cut off/);
  });

  it('Stop closes the connection', async () => {
    const service = await TestService.start(beginning(silence));
    const stop = new AbortController();
    const body = await (await clientFor(service)).download(bodyCall(), { signal: stop.signal });
    const reading = failureOf(textOf(body));
    stop.abort();

    expect((await reading).name).toBe('CancelledError');
    await until(() => service.closed === 1);
  });

  it('a reader who stops closes the connection', async () => {
    const service = await TestService.start(beginning(silence));
    const body = await (await clientFor(service)).download(bodyCall());
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();
    await chunks.return?.();

    await until(() => service.closed === 1);
  });
});

it('no error holds the key', async () => {
  const service = await TestService.start((request, response) => {
    response.writeHead(403).end(JSON.stringify({ message: String(request.headers['x-api-key']) }));
  });
  const failure = await failureOf(download(await clientFor(service)));

  expect(service.received[0]?.headers['x-api-key']).toBeDefined();
  expect(everythingOf(failure)).not.toContain(String(service.received[0]?.headers['x-api-key']));
});
