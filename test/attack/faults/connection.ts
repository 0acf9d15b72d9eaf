/** Faults of the connection: what arrives is no answer, or half of one. */
import { gzipSync } from 'node:zlib';

import { after, first, healthy, some, type Fault } from './fault';
import type { Blow, Strike } from '../service/front';

const reset: Strike = ({ socket }) => {
  socket.resetAndDestroy();
};

/** Writes bytes that are not what HTTP asks for, and closes. */
function raw(text: string | Buffer): Strike {
  return ({ socket }) => {
    socket.write(text, () => socket.destroy());
  };
}

const hang: Strike = () => undefined;

/** A byte now and then, so that the connection never looks idle. */
function drip(everyMs: number): Strike {
  return after(({ response }, body) => {
    const bytes = Buffer.from(body === '' ? '{}' : body);
    let sent = 0;
    response.writeHead(200, { 'content-length': bytes.length + 1_000_000 });
    const timer = setInterval(() => {
      response.write(bytes.subarray(sent % bytes.length, (sent % bytes.length) + 1));
      sent += 1;
    }, everyMs);
    response.on('close', () => {
      clearInterval(timer);
    });
  });
}

const cutInTheMiddle = after(({ response, socket }, body) => {
  response.writeHead(200, { 'content-length': Buffer.byteLength(body) + 10 });
  response.write(body.slice(0, Math.ceil(body.length / 2)), () => socket.destroy());
});

const cutChunk = after(({ socket }, body) => {
  const half = body.slice(0, Math.ceil(body.length / 2));
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${(half.length + 5).toString(16)}\r\n${half}`,
    () => socket.destroy(),
  );
});

/** Ends by closing the connection, without a word about its length. */
function unframed(change: (body: Buffer) => Buffer, header: string): Strike {
  return after(({ socket }, body) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${header}\r\n`);
    socket.end(change(Buffer.from(body)));
  });
}

function encoded(encoding: string, change: (body: string) => Buffer): Strike {
  return async ({ real, reply }) => {
    const { status, headers, body } = await real();
    if (status < 300) reply(status, { ...headers, 'content-encoding': encoding }, change(body));
    else reply(status, headers, body);
  };
}

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

/** A slow service whose answers overtake each other. */
const outOfOrder = async (blow: Blow): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, blow.asked.number % 2 === 1 ? 60 : 5));
  await healthy(blow);
};

export const CONNECTION: readonly Fault[] = [
  { name: 'none', strike: healthy, same: true },
  { name: 'answers overtake each other', strike: outOfOrder, same: true },
  {
    name: 'connection refused',
    strike: hang,
    hopeless: true,
    baseUrl: () => 'http://127.0.0.1:9',
  },
  {
    name: 'host name unknown',
    strike: hang,
    hopeless: true,
    baseUrl: () => 'http://no-such-host.invalid',
  },
  {
    name: 'TLS where there is none',
    strike: hang,
    hopeless: true,
    baseUrl: (front) => `https://127.0.0.1:${String(front.port)}`,
  },
  { name: 'reset', strike: reset, hopeless: true },
  { name: 'reset once', strike: first(reset), same: true },
  { name: 'reset after it was processed', strike: after(reset), hopeless: true },
  { name: 'reset once after it was processed', strike: first(after(reset)), same: true },
  { name: 'second request reset', strike: some(reset, (number) => number === 2), same: true },
  {
    name: 'every other request reset',
    strike: some(reset, (number) => number % 2 === 0),
    same: true,
  },
  {
    name: 'closed without a word',
    strike: ({ socket }) => {
      socket.end();
    },
    hopeless: true,
  },
  { name: 'never answers', hangs: true, strike: hang, hopeless: true },
  { name: 'never answers once', hangs: true, strike: first(hang), same: true },
  { name: 'processed, never answers', hangs: true, strike: after(() => undefined), hopeless: true },
  {
    name: 'headers, then nothing',
    hangs: true,
    strike: after(({ response }) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.flushHeaders();
    }),
    hopeless: true,
  },
  { name: 'a byte every 50 ms', hangs: true, strike: drip(50), hopeless: true },
  { name: 'a byte every 800 ms', hangs: true, strike: drip(800), hopeless: true },
  { name: 'cut in the middle', strike: cutInTheMiddle, hopeless: true },
  { name: 'cut in the middle once', strike: first(cutInTheMiddle), same: true },
  { name: 'cut in a chunk', strike: cutChunk, hopeless: true },
  { name: 'cut in a chunk once', strike: first(cutChunk), same: true },
  { name: 'not HTTP', strike: raw('HELO there\r\n'), hopeless: true },
  { name: 'not HTTP once', strike: first(raw('SSH-2.0-OpenSSH_9.6\r\n')), same: true },
  { name: 'not HTTP, processed', strike: after(raw('+OK ready\r\n')), hopeless: true },
  { name: 'bytes of TLS', strike: raw(Buffer.from('150301000202', 'hex')), hopeless: true },
  { name: 'HTTP 9', strike: raw('HTTP/9.9 200 OK\r\n\r\n{}'), hopeless: true },
  { name: 'status line without status', strike: raw('HTTP/1.1 OK\r\n\r\n'), hopeless: true },
  {
    name: 'header of 100 KB',
    strike: raw(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n{}`),
    hopeless: true,
  },
  {
    name: 'two lengths',
    strike: raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}abc'),
    hopeless: true,
  },
  {
    name: 'length and chunks',
    strike: raw(
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ),
    hopeless: true,
  },
  {
    name: 'chunk of no size',
    strike: (blow) => {
      // The header is right, and all that an answer to HEAD has.
      if (blow.asked.method === 'HEAD') blow.asked.answered = 200;
      return raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}')(blow);
    },
    hopeless: true,
  },
  {
    name: 'protocols switched',
    hangs: true,
    strike: raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    hopeless: true,
  },
  { name: 'ends with the connection', strike: unframed((body) => body, '') },
  { name: 'half, ends with the connection', strike: unframed(half, ''), fewerRows: true },
  { name: 'gzip', strike: encoded('gzip', (body) => gzipSync(body)), same: true },
  {
    name: 'gzip that is none',
    strike: encoded('gzip', (body) => Buffer.from(`x${body}`)),
    hopeless: true,
  },
  { name: 'gzip cut', strike: encoded('gzip', (body) => half(gzipSync(body))), hopeless: true },
  {
    name: 'gzip cut, ends with the connection',
    strike: unframed((body) => half(gzipSync(body)), 'content-encoding: gzip\r\n'),
    hopeless: true,
  },
  {
    name: 'brotli that is none',
    strike: encoded('br', (body) => Buffer.from(`x${body}`)),
    hopeless: true,
  },
  {
    name: 'an unknown encoding',
    strike: encoded('rot13', (body) => Buffer.from(body)),
    fewerRows: true,
  },
];
