/** Tests faults on real sockets: no message contains words of the library that found the fault. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';

import { ServiceError } from '../../../../src/client/errors';
import {
  exchangeWhole,
  openStream,
  type HttpRequest,
} from '../../../../src/client/exchange/transport';
import { exchangeWith, failureOf, requestTo } from '../support/client';
import { SELF_SIGNED } from '../support/certificates';
import { TestService, type Answering } from '../support/service';

/** Names of system errors, libraries and their parts; addresses, files and C sources. */
const LIBRARY_WORDS =
  /\b(?:E[A-Z]{4,}|HPE_|Z_[A-Z]|ERR_|Parse Error|Expected|ICE|RTSP|socket hang up|unexpected end of file|incorrect|SSL|OpenSSL|zlib|aborted|Client network|routines)\b|\.c\b|rec_layer|\d+\.\d+\.\d+\.\d+|undefined/;

const servers: Server[] = [];

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
  const withoutAddress = message.replace(/^(The service) at \S+:\d+ could/, '$1 could');
  expect(`${withoutAddress} ${hint}`).not.toMatch(LIBRARY_WORDS);
}

const says = (text: string) => (socket: Socket) => {
  socket.end(text);
};
const answers = (rest: string) => says(`HTTP/1.1 200 OK\r\n${rest}`);
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const CUT_OFF: unknown = expect.stringMatching(/^(no_answer|broken_off)$/);

describe('an unusual response', () => {
  it.each<[string, (socket: Socket) => void, RegExp]>([
    ['a greeting of another protocol', says('220 mail.example.com ESMTP\r\n'), /not HTTP/],
    ['SSH', says('SSH-2.0-OpenSSH_9.2\r\n'), /not HTTP/],
    ['a TLS alert', says('\u0015\u0003\u0001\u0000\u0002\u0002F'), /not HTTP/],
    ['half of a status line', says('HTTP/1.'), /closed|not HTTP/],
    ['no bytes', says(''), /closed/],
    ['a reset', (socket) => socket.resetAndDestroy(), /closed/],
    ['HTTP/2', says('\u0000\u0000\u0012\u0004\u0000\u0000\u0000\u0000\u0000'), /not HTTP/],
    [
      'only 101 Switching',
      says('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      /./,
    ],
    ['only 100 Continue', says('HTTP/1.1 100 Continue\r\n\r\n'), /closed/],
    ['only 103 Early Hints', says('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'), /closed/],
    ['large headers', answers(`X-A: ${'a'.repeat(100_000)}\r\n\r\n`), /headers/],
    ['broken headers', answers('no colon here\r\n\r\n'), /not HTTP/],
    ['two lengths', answers('Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'), /not HTTP/],
    ['a length and chunks', answers(`Content-Length: 2\r\n${CHUNKED}2\r\n{}\r\n0\r\n\r\n`), /./],
    ['fewer bytes than the content length', answers('Content-Length: 20\r\n\r\n{}'), /closed/],
    ['a truncated chunk', answers(`${CHUNKED}5\r\n{"a`), /closed/],
    ['chunks without the last one', answers(`${CHUNKED}2\r\n{}\r\n`), /closed/],
    ['an invalid chunk size', answers(`${CHUNKED}zz\r\n`), /closed|not HTTP/],
  ])('fails, and the error contains no words of a library: %s', async (_what, answer, words) => {
    const url = await raw(answer);
    for (const failure of [await exchangeWhole(request(url)), await streamed(url)]) {
      expectPlainFailure(failure, { code: CUT_OFF, message: expect.stringMatching(words) });
    }
  });

  it.each([
    ['more bytes than the content length', 'Content-Length: 2\r\n\r\n{}{"more":1}', '{}'],
    ['trailers', `Trailer: X-T\r\n${CHUNKED}2\r\n{}\r\n0\r\nX-T: 1\r\n\r\n`, '{}'],
    ['a body that ends with the connection', '\r\n{"a":1}', '{"a":1}'],
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
    ['the server sends garbage', says('nonsense')],
  ])('reports that nothing was sent when %s during the handshake', async (_what, answer) => {
    expectPlainFailure(await overTls(await raw(answer)), notSent);
  });

  it('reports that nothing was sent when the handshake misses the deadline', async () => {
    const url = await raw(() => undefined);
    expect(await overTls(url, { timeoutMs: 200 })).toMatchObject({
      ...notSent,
      message: `The service at ${new URL(url).host} could not be reached: no connection within 0.2 s`,
    });
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

describe('a compressed response', () => {
  const text = JSON.stringify({ text: 'äöü '.repeat(1_000) });
  const packed =
    (encoding: string, body: Uint8Array, status = 200): Answering =>
    (_request, response) => {
      // Without a length, only the compression shows that bytes are missing.
      response.writeHead(status, { 'content-encoding': encoding, connection: 'close' });
      response.end(body);
    };
  const PACKINGS: ReadonlyArray<[string, Buffer]> = [
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ];

  it.each(PACKINGS)('is decompressed if it is %s', async (encoding, body) => {
    const { outcome } = await exchangeWith(packed(encoding, body), POST);
    expect(outcome).toMatchObject({ body: text });
  });

  it.each(PACKINGS)('is rejected if it is %s and truncated', async (encoding, body) => {
    const service = await TestService.start(packed(encoding, body.subarray(0, body.length - 9)));
    const { baseUrl } = service;
    for (const failure of [await exchangeWhole(request(baseUrl)), await streamed(baseUrl)]) {
      const message: unknown = expect.stringMatching(
        /: the compressed response is damaged or truncated$/,
      );
      expect(failure).toMatchObject({ code: CUT_OFF, message });
    }
  });

  it.each([
    ['gzip', 'not packed at all'],
    ['deflate', '\u0000\u0001\u0002'],
    ['br', '<html></html>'],
  ])('is rejected if it is %s and damaged', async (encoding, body) => {
    const { outcome } = await exchangeWith(packed(encoding, Buffer.from(body)), POST);
    expectPlainFailure(outcome, { code: 'no_answer' });
  });

  const unknown = ['zstd', 'utf-8', 'gzip, gzip', 'sécret'];
  it.each(unknown)('is rejected as %s, unless it is an error response', async (encoding) => {
    const { outcome } = await exchangeWith(packed(encoding, gzipSync(text)), POST);
    const message: unknown = expect.stringContaining(`Content-Encoding: ${encoding.slice(0, 1)}`);
    expectPlainFailure(outcome, { code: 'unknown_encoding', message });
    const refused = await exchangeWith(packed(encoding, gzipSync(text), 402), POST);
    expect(refused.outcome).toMatchObject({ status: 402, refusal: '' });
  });

  const empty = ['gzip', 'deflate', 'br', 'nonsense'];
  it.each(empty)('is empty if it is %s without content', async (encoding) => {
    for (const change of [POST, { ...POST, method: 'HEAD', body: undefined } as const]) {
      const { outcome } = await exchangeWith(packed(encoding, Buffer.alloc(0)), change);
      expect(outcome).toMatchObject({ body: '' });
    }
  });

  it('is decompressed if it arrives slowly', async () => {
    const { outcome } = await exchangeWith((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write('{"a":');
      gzip.flush(() => {
        setTimeout(() => gzip.end('1}'), 30);
      });
    });
    expect(outcome).toMatchObject({ body: '{"a":1}' });
  });
});
