import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import nock from 'nock';

import { MAX_RESPONSE_BYTES, type HttpRequest } from '../../../src/client/call';
import { ServiceError } from '../../../src/client/errors';
import { exchange, type ExchangeResult } from '../../../src/client/exchange/transport';
import { everythingOf } from './support/client';
import { mockTheNetwork } from './support/mocked-service';
import { drip, json, silence, TestService, text, type Answering } from './support/service';
import { until } from './support/timing';

/** Names of system errors, libraries and their parts; addresses, files and C sources. */
const LIBRARY_WORDS =
  /\b(?:E[A-Z]{4,}|HPE_|Z_[A-Z]|ERR_|Parse Error|Expected|ICE|RTSP|socket hang up|unexpected end of file|incorrect|SSL|OpenSSL|zlib|aborted|Client network|routines)\b|\.c\b|rec_layer|\d+\.\d+\.\d+\.\d+|undefined/;

const MEGABYTE = 1024 * 1024;

/** The key and the untrusted certificate of a server on localhost, valid for 100 years. */
const LOCALHOST = readFileSync(join(__dirname, 'support/localhost.pem'));

afterAll(TestService.stopAll);

const request = (url: string, change: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: {},
  body: '{}',
  maxBytes: MAX_RESPONSE_BYTES,
  timeoutMs: 15_000,
  freshConnection: true,
  signal: undefined,
  ...change,
});

async function exchangeWith(answering: Answering, change: Partial<HttpRequest> = {}) {
  const service = await TestService.start(answering);
  return { service, outcome: await exchange(request(service.baseUrl, change)) };
}

function bodyOf(outcome: ExchangeResult): string | undefined {
  return 'body' in outcome ? outcome.body.toString() : undefined;
}

/** Expects an error like this, whose text for users contains no words of a library. */
function expectPlainFailure(outcome: unknown, expected: object): void {
  expect(outcome).toBeInstanceOf(ServiceError);
  expect(outcome).toMatchObject(expected);
  const { message, hint } = outcome as ServiceError;
  const withoutAddress = message.replace(/^(The service) at \S+ could/, '$1 could');
  expect(`${withoutAddress} ${hint}`).not.toMatch(LIBRARY_WORDS);
}

const says =
  (words: string): Answering =>
  ({ socket }) => {
    socket.end(words);
  };
const answers = (rest: string) => says(`HTTP/1.1 200 OK\r\n${rest}`);
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const encoded =
  (encoding: string, bytes: Uint8Array | string): Answering =>
  (_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
  };
/** The last eight bytes are the checksum and the length. */
const ZIPPED = gzipSync('a,b'.repeat(1_000));
const PACKED = brotliCompressSync('a,b'.repeat(1_000));
const MISCOUNTED = ZIPPED.with(-8, ZIPPED.at(-8)! ^ 1);

it.each<[string, Answering, RegExp]>([
  ['another protocol', says('SSH-2.0-OpenSSH_9.2\r\n'), /not HTTP/],
  ['a reset', ({ socket }) => socket.resetAndDestroy(), /closed/],
  ['two lengths', answers('Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'), /failed/],
  ['a truncated chunk', answers(`${CHUNKED}5\r\n{"a`), /closed/],
  ['a truncated gzip body', answers(`Content-Encoding: gzip\r\n${CHUNKED}5\r\n`), /closed/],
  ['a truncated brotli body', answers(`Content-Encoding: br\r\n${CHUNKED}5\r\n`), /closed/],
  ['chunks without the last one', answers(`${CHUNKED}2\r\n{}\r\n`), /closed/],
  ['20 kB of headers', answers(`X-A: ${'a'.repeat(20_000)}\r\n\r\n{}`), /headers .* too large/],
  ['a bad checksum', encoded('gzip', MISCOUNTED), /compressed data is damaged/],
  ['a gzip body without its end', encoded('gzip', ZIPPED.subarray(0, -10)), /closed before/],
  ['a brotli body without its end', encoded('br', PACKED.subarray(0, -3)), /closed before/],
  ['an encoding that was not asked for', encoded('zstd', 'a,b'), /compressed data is damaged/],
])('fails without words of a library after %s', async (_what, answering, words) => {
  const { outcome } = await exchangeWith(answering);
  expectPlainFailure(outcome, { code: 'no_answer', message: expect.stringMatching(words) });
});

it.each(['utf-8', 'none', 'aws-chunked', 'identity', ''])(
  'passes on a body whose encoding "%s" changes nothing',
  async (encoding) => {
    const { outcome } = await exchangeWith(encoded(encoding, 'a,b'));
    expect(bodyOf(outcome)).toBe('a,b');
  },
);

it.each([
  ['HEAD', 200],
  ['GET', 204],
] as const)('accepts %s with status %d and no compressed body', async (method, status) => {
  const answering: Answering = (_request, response) => {
    response.writeHead(status, { 'content-encoding': 'gzip' }).end();
  };
  const { outcome } = await exchangeWith(answering, { method, body: undefined });
  expect(bodyOf(outcome)).toBe('');
});

it.each<[string, Answering, string]>([
  ['more bytes than the length', answers('Content-Length: 2\r\n\r\n{}{"more":1}'), '{}'],
  ['a byte order mark and no length', answers('\r\n\u{feff}{}'), '\u{feff}{}'],
  ['a gzip body', encoded('gzip', ZIPPED), 'a,b'.repeat(1_000)],
  ['a brotli body', encoded('br', PACKED), 'a,b'.repeat(1_000)],
  [
    'a body of the maximum size',
    text('x'.repeat(MAX_RESPONSE_BYTES)),
    'x'.repeat(MAX_RESPONSE_BYTES),
  ],
])('accepts %s', async (_what, answering, body) => {
  const { outcome } = await exchangeWith(answering);
  expect(bodyOf(outcome) === body).toBe(true);
});

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server.listen(0, 'localhost'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('TLS', () => {
  const notSent = { code: 'connection_failed' };

  it('sends nothing to a plain HTTP server, and the error says how to fix it', async () => {
    const service = await TestService.start();
    const outcome = await exchange(request(service.baseUrl.replace('http:', 'https:')));
    const hint: unknown = expect.stringMatching(/http:\/\/.*https:\/\//);
    expectPlainFailure(outcome, { ...notSent, hint });
    expect(service.received).toHaveLength(0);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['the connection is closed', (socket) => socket.end()],
    ['the connection is reset', (socket) => socket.resetAndDestroy()],
    ['the deadline passes', () => undefined],
  ])('reports that nothing was sent when %s during the handshake', async (_what, answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => answer(socket));
    });
    const url = `https://localhost:${await portOf(server)}/`;
    expectPlainFailure(await exchange(request(url, { timeoutMs: 200 })), notSent);
  });

  it('sends nothing to a server whose certificate is not trusted, and says so', async () => {
    let seen = '';
    const server = createTlsServer({ key: LOCALHOST, cert: LOCALHOST }, (socket) => {
      socket.on('error', () => undefined).on('data', (data) => (seen += String(data)));
    });
    const outcome = await exchange(request(`https://localhost:${await portOf(server)}/`));
    const message: unknown = expect.stringMatching(/: its TLS certificate is not trusted$/);
    expectPlainFailure(outcome, { ...notSent, message });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen).toBe('');
  });
});

it.each([
  [true, 2],
  [false, 1],
])(
  'gives https requests their own connections if they need fresh ones: %s',
  async (freshConnection, size) => {
    const agents = new Set<unknown>();
    jest.spyOn(https, 'request').mockImplementation(((options: https.RequestOptions) => {
      agents.add(options.agent);
      throw new Error('not sent');
    }) as typeof https.request);
    for (let sent = 0; sent < 2; sent += 1)
      await exchange(request('https://service.test/', { freshConnection }));
    jest.restoreAllMocks();
    expect(agents.size).toBe(size);
  },
);

describe('a system error', () => {
  mockTheNetwork();

  // n8n replaces the messages of some system errors with its own.
  it.each([
    ['ECONNREFUSED', 'http', 'connection_failed', /it refused the connection/],
    ['ENOTFOUND', 'http', 'connection_failed', /host name could not be resolved/],
    ['EHOSTUNREACH', 'http', 'connection_failed', /the connection failed/],
    ['ERR_INVALID_CHAR', 'http', 'connection_failed', /the API key contains characters/],
    ['ECONNRESET', 'http', 'no_answer', /closed before the response was complete/],
    ['ETIMEDOUT', 'http', 'no_answer', /timed out/],
    ['ENEW', 'http', 'no_answer', /the connection failed/],
    ['CERT_HAS_EXPIRED', 'https', 'connection_failed', /expired .*renew/],
    ['CERT_NOT_YET_VALID', 'https', 'connection_failed', /not valid yet .*Correct the clock/],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'https',
      'connection_failed',
      /not trusted .*full cert.* chain.* NODE_EXTRA_CA_CERTS/,
    ],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'https',
      'connection_failed',
      /another host .*use the host name/,
    ],
  ])(
    '%s over %s is %s in plain words, without the address',
    async (system, scheme, code, words) => {
      const error = Object.assign(new Error(`${system} 10.0.0.1:443`), { code: system });
      nock(`${scheme}://service.test`).post('/').replyWithError(error);
      const outcome = await exchange(request(`${scheme}://service.test/`));
      expectPlainFailure(outcome, { code });
      const { message, hint } = outcome as ServiceError;
      expect(`${message} ${hint}`).toMatch(words);
      expect(everythingOf(outcome)).not.toContain('10.0.0.1');
    },
  );
});

describe('a body that is too large', () => {
  it.each([
    [200, 5, 5],
    [200, 6, undefined],
    // An error is never a file.
    [500, 6, 6],
  ])(
    'is one above the limit of the request: status %d, %d of 5 bytes',
    async (status, size, read) => {
      const { outcome } = await exchangeWith(text('x'.repeat(size), status), { maxBytes: 5 });
      expect(bodyOf(outcome)?.length).toBe(read);
    },
  );

  const bomb = Buffer.alloc(76 * MEGABYTE);
  const endless =
    (status: number): Answering =>
    (_request, response) => {
      const bytes = function* () {
        for (;;) yield Buffer.alloc(MEGABYTE, ' ');
      };
      pipeline(Readable.from(bytes()), response.writeHead(status), () => undefined);
    };

  it.each([
    ['a gzip bomb', encoded('gzip', gzipSync(bomb))],
    ['a brotli bomb', encoded('br', brotliCompressSync(bomb))],
    ['endless', endless(200)],
    ['an endless error', endless(500)],
  ])('is abandoned, and its connection closed, if it is %s', async (_what, answering) => {
    const { outcome, service } = await exchangeWith(answering);
    expect(outcome).toMatchObject({ code: 'response_too_large', isFinal: true });
    await until(() => service.closed === 1);
  });
});

describe('with a proxy', () => {
  const before = process.env;
  afterEach(() => {
    process.env = before;
  });

  it('sends requests through it', async () => {
    const proxy = await TestService.start(json({ a: 1 }));
    process.env = { ...before, HTTP_PROXY: proxy.baseUrl };
    const url = 'http://service.example/v1/x?q=1';
    expect(bodyOf(await exchange(request(url)))).toBe('{"a":1}');
    expect(proxy.received).toMatchObject([{ url, body: '{}' }]);
  });

  it.each(['GET', 'POST'] as const)(
    'does not take its refusal of a %s for the service',
    async (method) => {
      const server = createServer((socket) => {
        socket
          .on('error', () => undefined)
          .once('data', () => {
            socket.end('HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nNo');
          });
      });
      process.env = { ...before, HTTPS_PROXY: `http://localhost:${await portOf(server)}` };
      const body = method === 'GET' ? undefined : '{}';
      const outcome = await exchange(request('https://service.example/', { method, body }));
      const message: unknown = expect.stringMatching(/the proxy refused to connect/);
      const { hint } = outcome as ServiceError;
      expect(outcome).toMatchObject({ code: 'connection_failed', message });
      expect(hint).toContain('NO_PROXY');
    },
  );
});

it.each([
  ['never responds', silence],
  ['sends one byte at a time', drip(20)],
])('ends at the deadline and closes the connection if the server %s', async (_name, answering) => {
  const start = Date.now();
  const { outcome, service } = await exchangeWith(answering, { timeoutMs: 300 });
  const message = 'The service did not respond: no complete response within 0.3 s';
  expect(outcome).toMatchObject({ code: 'no_answer', message });
  expect(Date.now() - start).toBeGreaterThanOrEqual(295);
  await until(() => service.closed === 1);
});
