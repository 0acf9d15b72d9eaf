import type { FastifyReply } from 'fastify';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Outcome } from '../outcome';
import type { Fault } from './types';

const CHUNK_BYTES = 1_048_576;

/** Returns whether the fault replaces the service's response. If so, the service processes nothing. */
export function strikesBefore(fault: Fault): boolean {
  return ['resetBefore', 'neverAnswer', 'respond', 'hugeBody', 'gzipBomb'].includes(fault.kind);
}

/** Sends the fault's response to a request that the service does not process. */
export function answerBefore(fault: Fault, reply: FastifyReply): void {
  switch (fault.kind) {
    case 'resetBefore': {
      resetConnection(reply);
      return;
    }
    case 'neverAnswer':
      reply.hijack();
      return;
    case 'respond':
      reply.hijack();
      reply.raw.writeHead(fault.status, {
        ...fault.headers,
        'content-length': Buffer.byteLength(fault.body),
      });
      reply.raw.end(fault.body);
      return;
    case 'hugeBody': {
      stream(reply, {}, jsonOf(fault.bytes));
      return;
    }
    case 'gzipBomb': {
      stream(reply, { 'content-encoding': 'gzip' }, gzipOf(fault.bytes));
      return;
    }
    default:
      throw new Error(`${fault.kind} needs a processed request.`);
  }
}

/** Sends a damaged response to a request that the service has processed. */
export function answerAfter(fault: Fault, outcome: Outcome, reply: FastifyReply): void {
  switch (fault.kind) {
    case 'resetAfter': {
      resetConnection(reply);
      return;
    }
    case 'drip': {
      drip(reply, outcome, fault.everyMs);
      return;
    }
    case 'truncate': {
      const bytes = Buffer.from(outcome.payload);
      reply.hijack();
      reply.raw.writeHead(outcome.status, { ...outcome.headers, 'content-length': bytes.length });
      reply.raw.write(bytes.subarray(0, Math.floor(bytes.length * fault.share)), () =>
        reply.raw.destroy(),
      );
      return;
    }
    case 'cutJson': {
      send(reply, outcome, outcome.payload.slice(0, Math.floor(outcome.payload.length / 2)));
      return;
    }
    case 'wrongTypes': {
      send(reply, outcome, rewrite(outcome.payload, wrongType));
      return;
    }
    case 'extraFields': {
      send(reply, outcome, rewrite(outcome.payload, undefined, addUnknownFields));
      return;
    }
    case 'setField': {
      send(
        reply,
        outcome,
        rewrite(outcome.payload, (name, value) => (name === fault.field ? fault.value : value)),
      );
      return;
    }
    default:
      throw new Error(`${fault.kind} strikes before a request is processed.`);
  }
}

function send(reply: FastifyReply, outcome: Outcome, payload: string): void {
  reply.hijack();
  reply.raw.writeHead(outcome.status, {
    ...outcome.headers,
    'content-length': Buffer.byteLength(payload),
  });
  reply.raw.end(payload);
}

function resetConnection(reply: FastifyReply): void {
  reply.hijack();
  const socket: Socket | null = reply.raw.socket;
  if (socket !== null) socket.resetAndDestroy();
}

function drip(reply: FastifyReply, outcome: Outcome, everyMs: number): void {
  const bytes = Buffer.from(outcome.payload);
  let sent = 0;
  reply.hijack();
  reply.raw.writeHead(outcome.status, { ...outcome.headers, 'content-length': bytes.length });
  const timer = setInterval(() => {
    reply.raw.write(bytes.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= bytes.length) {
      clearInterval(timer);
      reply.raw.end();
    }
  }, everyMs);
  reply.raw.on('close', () => clearInterval(timer));
}

function stream(
  reply: FastifyReply,
  headers: Record<string, string>,
  parts: Generator<Buffer>,
): void {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers });
  const source = Readable.from(parts, { objectMode: false });
  reply.raw.on('close', () => source.destroy());
  source.pipe(reply.raw);
}

function* jsonOf(bytes: number): Generator<Buffer> {
  yield Buffer.from('{"padding":"');
  const chunk = Buffer.alloc(CHUNK_BYTES, 'a');
  for (let left = bytes; left > 0; left -= CHUNK_BYTES) {
    yield left >= CHUNK_BYTES ? chunk : chunk.subarray(0, left);
  }
  yield Buffer.from('"}');
}

/**
 * Yields a gzip stream. Gzip allows several members in a row, so one small compressed chunk repeats
 * many times.
 */
function* gzipOf(bytes: number): Generator<Buffer> {
  yield gzipSync('{"padding":"');
  const chunk = gzipSync(Buffer.alloc(CHUNK_BYTES, 'a'));
  for (let left = bytes; left > 0; left -= CHUNK_BYTES) yield chunk;
  yield gzipSync('"}');
}

type Rewriter = (name: string, value: unknown) => unknown;

/** Rewrites every field of a JSON text, outer fields first. Leaves other texts unchanged. */
function rewrite(
  payload: string,
  field: Rewriter = (_, value) => value,
  object: (value: Record<string, unknown>) => unknown = (value) => value,
): string {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return object(
      Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, walk(field(name, inner))]),
      ),
    );
  };
  try {
    return JSON.stringify(walk(JSON.parse(payload)));
  } catch {
    return payload;
  }
}

const NAME_FIELD = /name$|slug$/;

function wrongType(name: string, value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && NAME_FIELD.test(name)) return 42;
  return value;
}

function addUnknownFields(value: Record<string, unknown>): unknown {
  return { ...value, x_unknown: { nested: [1, 'two', null] } };
}
