/** Tests one exchange over real sockets: faults, deadlines, sizes and connections. */
import nock from 'nock';
import type { HttpRequest } from '../../../src/client/call';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { ServiceError } from '../../../src/client/errors';
import {
  exchangeWhole,
  MAX_RESPONSE_BYTES,
  openStream,
} from '../../../src/client/exchange/transport';
import { exchangeWith, everythingOf, failureOf, requestTo } from './support/client';
import { SELF_SIGNED } from './support/certificates';
import { times } from './support/limited-service';
import { drip, endless, json, silence, TestService, text, type Answering } from './support/service';
import { until } from './support/timing';

/** Names of system errors, libraries and their parts; addresses, files and C sources. */
const LIBRARY_WORDS =
  /\b(?:E[A-Z]{4,}|HPE_|Z_[A-Z]|ERR_|Parse Error|Expected|ICE|RTSP|socket hang up|unexpected end of file|incorrect|SSL|OpenSSL|zlib|aborted|Client network|routines)\b|\.c\b|rec_layer|\d+\.\d+\.\d+\.\d+|undefined/;

const MEGABYTE = 1024 * 1024;

const servers: Server[] = [];

// The import of nock activates it, but most tests here need the network.
nock.restore();
afterAll(async () => {
  await TestService.stopAll();
  await Promise.all(servers.map(async (server) => await new Promise((done) => server.close(done))));
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts a server that sends invalid HTTP. */
async function raw(answer: (socket: Socket) => void): Promise<string> {
  const port = await listening(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        answer(socket);
      });
    }),
  );
  return `http://127.0.0.1:${port}/`;
}

/** Every request has a body and a connection of its own. */
const POST = { method: 'POST', body: '{}', timeoutMs: 4_000, freshConnection: true } as const;

const request = (url: string, change: Partial<HttpRequest> = {}) =>
  requestTo(url, { ...POST, ...change });

/** Returns the error of a streamed response, before or after its first byte. */
async function streamed(url: string): Promise<unknown> {
  const outcome = await openStream(request(url));
  if (!('body' in outcome)) return outcome;
  return await failureOf(
    (async () => {
      for await (const chunk of outcome.body.whole) chunk.at(0);
    })(),
  );
}

/** Expects an error like this, whose text for users contains no words of a library. */
function expectPlainFailure(outcome: unknown, expected: object): void {
  expect(outcome).toBeInstanceOf(ServiceError);
  expect(outcome).toMatchObject(expected);
  const { message, hint } = outcome as ServiceError;
  const withoutAddress = message.replace(/^(The service) at \S+ could/, '$1 could');
  expect(`${withoutAddress} ${hint}`).not.toMatch(LIBRARY_WORDS);
}

const says = (words: string) => (socket: Socket) => {
  socket.end(words);
};
const answers = (rest: string) => says(`HTTP/1.1 200 OK\r\n${rest}`);
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';

describe('an unusual response', () => {
  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['another protocol', says('SSH-2.0-OpenSSH_9.2\r\n'), /not HTTP/],
    ['no bytes', says(''), /closed/],
    ['a reset', (socket) => socket.resetAndDestroy(), /closed/],
    ['only 100 Continue', says('HTTP/1.1 100 Continue\r\n\r\n'), /closed/],
    ['large headers', answers(`X-A: ${'a'.repeat(100_000)}\r\n\r\n`), /failed/],
    ['two lengths', answers('Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'), /failed/],
    ['fewer bytes than the content length', answers('Content-Length: 20\r\n\r\n{}'), /closed/],
    ['a truncated chunk', answers(`${CHUNKED}5\r\n{"a`), /closed/],
    ['chunks without the last one', answers(`${CHUNKED}2\r\n{}\r\n`), /closed/],
  ])('fails, and the error contains no words of a library: %s', async (_what, answer, words) => {
    const url = await raw(answer);
    for (const failure of [await exchangeWhole(request(url)), await streamed(url)]) {
      const code: unknown = expect.stringMatching(/^(no_answer|broken_off)$/);
      expectPlainFailure(failure, { code, message: expect.stringMatching(words) });
    }
  });

  it.each([
    ['more bytes than the content length', 'Content-Length: 2\r\n\r\n{}{"more":1}', '{}'],
    ['a body that ends with the connection', '\r\n{"a":1}', '{"a":1}'],
    ['single bytes', `${CHUNKED}${'1\r\nx\r\n'.repeat(5_000)}0\r\n\r\n`, 'x'.repeat(5_000)],
    ['a byte order mark', '\r\n\u{feff}{}', '{}'],
  ])('is accepted with %s', async (_what, rest, body) => {
    const url = await raw(answers(rest));
    expect(await exchangeWhole(request(url))).toMatchObject({ status: 200, body });
  });
});

describe('TLS', () => {
  const notSent = { code: 'connection_failed' };
  const overTls = async (url: string, change: Partial<HttpRequest> = {}) =>
    await exchangeWhole(request(url.replace('http:', 'https:'), change));

  it('sends nothing to a plain HTTP server, and the error says how to fix it', async () => {
    const service = await TestService.start();
    const hint: unknown = expect.stringMatching(/http:\/\/.*https:\/\//);
    expectPlainFailure(await overTls(service.baseUrl), { ...notSent, hint });
    expect(service.received).toHaveLength(0);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['the connection is closed', (socket) => socket.end()],
    ['the connection is reset', (socket) => socket.resetAndDestroy()],
    ['the deadline passes', () => undefined],
  ])('reports that nothing was sent when %s during the handshake', async (_what, answer) => {
    expectPlainFailure(await overTls(await raw(answer), { timeoutMs: 200 }), notSent);
  });

  it('reports an untrusted certificate, that nothing was sent, and how to fix it', async () => {
    let seen = '';
    const port = await listening(
      createTlsServer(SELF_SIGNED, (socket) => {
        socket.on('error', () => undefined);
        socket.on('data', (data: Buffer) => (seen += data.toString()));
      }),
    );
    const outcome = await exchangeWhole(request(`https://localhost:${port}/`));
    expect(outcome).toMatchObject({
      ...notSent,
      message: expect.stringMatching(/: its TLS certificate is not trusted$/),
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen).toBe('');
  });
});

describe('a system error', () => {
  beforeAll(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  // n8n replaces the messages of some system errors with its own.
  it.each([
    ['ECONNREFUSED', 'connection_failed', /it refused the connection/],
    ['ENOTFOUND', 'connection_failed', /host name could not be resolved/],
    ['EHOSTUNREACH', 'connection_failed', /the connection failed/],
    ['ERR_INVALID_CHAR', 'connection_failed', /the API key contains characters/],
    ['ECONNRESET', 'no_answer', /closed before the response was complete/],
    ['ETIMEDOUT', 'no_answer', /timed out/],
    ['ENEW', 'no_answer', /the connection failed/],
  ])('%s is %s in plain words, without the address', async (system, code, words) => {
    const error = Object.assign(new Error(`${system} 10.0.0.1:443`), { code: system });
    nock('http://service.test').get('/').replyWithError(error);
    const outcome = await exchangeWhole(requestTo('http://service.test/'));
    expectPlainFailure(outcome, { code, message: expect.stringMatching(words) });
    expect(everythingOf(outcome)).not.toContain('10.0.0.1');
  });

  it.each([
    ['CERT_HAS_EXPIRED', /expired/, /renew/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /not trusted/, /full certificate chain/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /another host/, /Base URL .* use the host name/],
  ])('%s names the certificate problem and the fix', async (system, reason, fix) => {
    nock('https://service.test')
      .get('/')
      .replyWithError(Object.assign(new Error(''), { code: system }));
    expect(await exchangeWhole(requestTo('https://service.test/'))).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(reason),
      hint: expect.stringMatching(fix),
    });
  });
});

describe('a compressed response', () => {
  const body = JSON.stringify({ text: 'äöü '.repeat(1_000) });
  const packed =
    (encoding: string, bytes: Uint8Array): Answering =>
    (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    };

  it.each([
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
  ])('is decompressed if it is %s', async (encoding, bytes) => {
    const { outcome, service } = await exchangeWith(packed(encoding, bytes), POST);
    expect(outcome).toMatchObject({ body });
    expect(service.received[0]?.headers['accept-encoding']).toContain(encoding);
  });

  it.each([
    ['gzip', 'not packed at all'],
    ['br', '<html></html>'],
  ])('is rejected if it is %s and damaged', async (encoding, bytes) => {
    const { outcome } = await exchangeWith(packed(encoding, Buffer.from(bytes)), POST);
    expectPlainFailure(outcome, { code: 'no_answer' });
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(76 * MEGABYTE))],
    ['br', brotliCompressSync(Buffer.alloc(76 * MEGABYTE))],
  ])('is abandoned if it is a bomb (%s)', async (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(80_000);
    const { outcome, service } = await exchangeWith(packed(encoding, bomb), POST);
    expect(outcome).toMatchObject({ code: 'response_too_large', isFinal: true });
    await until(() => service.closed === 1);
  });
});

describe('an exchange', () => {
  it('goes through the proxy that HTTP_PROXY names', async () => {
    const proxy = await TestService.start(json({ a: 1 }));
    const before = process.env;
    process.env = { ...before, HTTP_PROXY: proxy.baseUrl };
    try {
      const url = 'http://service.example/v1/x?q=1';
      expect(await exchangeWhole(request(url))).toMatchObject({ status: 200, body: '{"a":1}' });
      expect(proxy.received).toMatchObject([{ url, body: '{}' }]);
    } finally {
      process.env = before;
    }
  });

  it.each([
    ['never responds', silence],
    ['sends one byte at a time', drip(20)],
  ])(
    'ends at the deadline and closes the connection if the server %s',
    async (_name, answering) => {
      const service = await TestService.start(answering);
      const start = Date.now();
      const outcome = await exchangeWhole(requestTo(service.baseUrl, { timeoutMs: 300 }));
      expect(outcome).toMatchObject({
        code: 'no_answer',
        message: 'The service did not respond: no complete response within 0.3 s',
      });
      expect(Date.now() - start).toBeGreaterThanOrEqual(295);
      await until(() => service.closed === 1);
    },
  );

  it.each([200, 500])('abandons an endless body (%i) and closes the connection', async (status) => {
    let sent = 0;
    const { service, outcome } = await exchangeWith(
      (received, response) => {
        response.writeHead(status);
        endless(MEGABYTE, () => (sent += 1))(received, response);
      },
      { timeoutMs: 30_000 },
    );
    expect(outcome).toMatchObject({ code: 'response_too_large' });
    await until(() => service.closed === 1);
    expect(sent).toBeGreaterThanOrEqual(MAX_RESPONSE_BYTES / MEGABYTE);
    // The buffers of the operating system hold some more.
    expect(sent).toBeLessThan(100);
  });

  it('reads a body just below the bound', async () => {
    const { outcome } = await exchangeWith(text('x'.repeat(MAX_RESPONSE_BYTES)));
    expect('body' in outcome && outcome.body.length).toBe(MAX_RESPONSE_BYTES);
  });

  it('uses up to 20 connections for 500 requests, 20 at a time', async () => {
    const service = await TestService.start();
    const kept = requestTo(service.baseUrl, { method: 'POST', body: '{}' });
    const workers = times(20, async () => {
      for (let sent = 0; sent < 25; sent += 1) {
        expect(await exchangeWhole(kept)).toMatchObject({ status: 200 });
      }
    });
    await Promise.all(workers);
    expect(service.received).toHaveLength(500);
    expect(service.connections).toBeLessThanOrEqual(20);
  });
});
