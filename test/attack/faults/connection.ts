/** Faults of the connection: no valid response arrives, or only a part of it. */
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { after, faultsThat, first, healthy, rewrite, some, type Fault } from './fault';
import type { Front, Strike } from '../service/front';

const reset: Strike = ({ socket }) => {
  socket.resetAndDestroy();
};

/** Writes bytes that are not valid HTTP, and closes the connection. */
function raw(text: string | Buffer): Strike {
  return ({ socket }) => {
    socket.write(text, () => socket.destroy());
  };
}

const hang: Strike = () => undefined;

/** Sends a byte at each interval, so that the connection never looks idle. */
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

/** Ends a response without a length by closing the connection. */
function unframed(change: (body: Buffer) => Buffer, header: string): Strike {
  return after(({ socket }, body) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${header}\r\n`);
    socket.end(change(Buffer.from(body)));
  });
}

const encoded = (encoding: string, change: (body: string) => Buffer): Strike =>
  rewrite(change, { 'content-encoding': encoding });

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

/** A slow service whose responses arrive in another order than the requests. */
const outOfOrder: Strike = async (blow) => {
  await setTimeout(blow.asked.number % 2 === 1 ? 60 : 5);
  await healthy(blow);
};

/** For HEAD, the valid header is the complete response, so the request counts as answered. */
const chunkOfNoSize: Strike = (blow) => {
  if (blow.asked.method === 'HEAD') blow.asked.answered = 200;
  return raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}')(blow);
};

/** A Base URL where nothing listens, or nothing that speaks the expected protocol. */
const NOBODY: Readonly<Record<string, (front: Front) => string>> = {
  'connection refused': () => 'http://127.0.0.1:9',
  'host name unknown': () => 'http://no-such-host.invalid',
  'TLS where there is none': ({ baseUrl }) => baseUrl.replace('http', 'https'),
};

export const CONNECTION: readonly Fault[] = [
  ...Object.entries(NOBODY).map(([name, baseUrl]) => ({
    hopeless: true as const,
    name,
    baseUrl,
    strike: hang,
  })),
  ...faultsThat(['same'], {
    none: healthy,
    'answers overtake each other': outOfOrder,
    'reset once': first(reset),
    'reset once after it was processed': first(after(reset)),
    'second request reset': some(reset, (number) => number === 2),
    'every other request reset': some(reset, (number) => number % 2 === 0),
    'cut in the middle once': first(cutInTheMiddle),
    'cut in a chunk once': first(cutChunk),
    'not HTTP once': first(raw('SSH-2.0-OpenSSH_9.6\r\n')),
    gzip: encoded('gzip', (body) => gzipSync(body)),
  }),
  ...faultsThat(['same', 'hangs'], { 'never answers once': first(hang) }),
  ...faultsThat(['hopeless', 'hangs'], {
    'never answers': hang,
    'processed, never answers': after(() => undefined),
    'headers, then nothing': after(({ response }) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.flushHeaders();
    }),
    'a byte every 50 ms': drip(50),
    'a byte every 800 ms': drip(800),
    'protocols switched': raw(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ),
  }),
  ...faultsThat(['hopeless'], {
    reset,
    'reset after it was processed': after(reset),
    'closed without a word': ({ socket }) => {
      socket.end();
    },
    'cut in the middle': cutInTheMiddle,
    'cut in a chunk': cutChunk,
    'not HTTP': raw('HELO there\r\n'),
    'not HTTP, processed': after(raw('+OK ready\r\n')),
    'bytes of TLS': raw(Buffer.from('150301000202', 'hex')),
    'HTTP 9': raw('HTTP/9.9 200 OK\r\n\r\n{}'),
    'status line without status': raw('HTTP/1.1 OK\r\n\r\n'),
    'header of 100 KB': raw(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n{}`),
    'two lengths': raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}abc'),
    'length and chunks': raw(
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ),
    'chunk of no size': chunkOfNoSize,
    'gzip that is none': encoded('gzip', (body) => Buffer.from(`x${body}`)),
    'gzip cut': encoded('gzip', (body) => half(gzipSync(body))),
    'gzip cut, ends with the connection': unframed(
      (body) => half(gzipSync(body)),
      'content-encoding: gzip\r\n',
    ),
    'brotli that is none': encoded('br', (body) => Buffer.from(`x${body}`)),
  }),
  ...faultsThat([], { 'ends with the connection': unframed((body) => body, '') }),
  ...faultsThat(['fewerRows'], {
    'half, ends with the connection': unframed(half, ''),
    'an unknown encoding': encoded('rot13', (body) => Buffer.from(body)),
  }),
];
