import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { z } from 'zod/v4';
import { errorBody, errors, ServiceError } from '../errors';
import type { Outcome } from '../pipeline';

/** The status that the client received; null for none. */
type Sent = number | null;

/**
 * What goes wrong with a request. `replace` sends another response, and the service processes
 * nothing. `damage` sends a damaged form of the response to a request that was processed.
 */
export type Fault =
  | { readonly replace: (raw: ServerResponse) => Sent }
  | { readonly damage: (raw: ServerResponse, outcome: Outcome) => Sent };

/** Options of the presets. Each preset uses only some of them. */
export const presetOptionsSchema = z
  .strictObject({
    seconds: z.number(),
    code: z.string(),
    status: z.int(),
    everyMs: z.number().positive(),
    field: z.string(),
    value: z.unknown(),
  })
  .partial();

type PresetOptions = z.output<typeof presetOptionsSchema>;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function send(raw: ServerResponse, { status, headers, payload }: Outcome): Sent {
  raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(payload) });
  raw.end(payload);
  return status;
}

function respond(status: number, headers: Record<string, string>, payload: string): Fault {
  return { replace: (raw) => send(raw, { status, headers, payload }) };
}

function page(status: number, headers: Record<string, string> = {}): Fault {
  const html = `<!doctype html><html><head><title>${status}</title></head><body></body></html>`;
  return respond(status, { 'content-type': 'text/html; charset=utf-8', ...headers }, html);
}

function refuse(error: ServiceError): Fault {
  const body = JSON.stringify(errorBody(error));
  return respond(error.status, { ...JSON_TYPE, ...error.headers }, body);
}

function reset(raw: ServerResponse): Sent {
  const socket: Socket | null = raw.socket;
  socket?.resetAndDestroy();
  return null;
}

function cut(raw: ServerResponse, { status, headers, payload }: Outcome): Sent {
  const bytes = Buffer.from(payload);
  raw.writeHead(status, { ...headers, 'content-length': bytes.length });
  raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => raw.destroy());
  return status;
}

function drip(raw: ServerResponse, { status, headers, payload }: Outcome, everyMs: number): Sent {
  const bytes = Buffer.from(payload);
  let sent = 0;
  raw.writeHead(status, { ...headers, 'content-length': bytes.length });
  const timer = setInterval(() => {
    raw.write(bytes.subarray(sent, (sent += 1)));
    if (sent < bytes.length) return;
    clearInterval(timer);
    raw.end();
  }, everyMs);
  raw.on('close', () => clearInterval(timer));
  return status;
}

/** Replaces a field of a JSON text, wherever it occurs. */
function setField(payload: string, field: string | undefined, value: unknown): string {
  return JSON.stringify(
    JSON.parse(payload, (name, was: unknown) => (name === field ? value : was)),
  );
}

/** The faults by name. */
export const FAULT_PRESETS = {
  /** The connection is reset, before or after the request is processed. */
  resetBefore: () => ({ replace: reset }),
  resetAfter: () => ({ damage: reset }),
  neverAnswer: () => ({ replace: () => null }),
  /** The real response, one byte at a time. */
  drip: ({ everyMs = 1000 }) => ({ damage: (raw, outcome) => drip(raw, outcome, everyMs) }),
  /** The real response, cut off after half of its Content-Length. */
  cutConnection: () => ({ damage: cut }),
  /** The first half of the real response, sent as if it were complete. */
  truncatedJson: () => ({
    damage: (raw, outcome) => {
      const payload = outcome.payload.slice(0, Math.floor(outcome.payload.length / 2));
      return send(raw, { ...outcome, payload });
    },
  }),
  setField: ({ field, value }) => ({
    damage: (raw, outcome) =>
      send(raw, { ...outcome, payload: setField(outcome.payload, field, value) }),
  }),
  html200: () => page(200),
  html500: () => page(500),
  html502: () => page(502),
  unavailable: ({ seconds = 1 }) => page(503, { 'retry-after': String(seconds) }),
  redirect: () => respond(302, { location: 'http://127.0.0.1:9/elsewhere' }, ''),
  rateLimit: ({ seconds = 1 }) => refuse(errors.rateLimited(seconds, {})),
  creditExhausted: () => refuse(errors.creditExhausted(100, 60)),
  unauthorized: () => refuse(errors.unauthenticated()),
  forbidden: () => refuse(new ServiceError(403, 'forbidden', 'This key may not do that.')),
  notFound: ({ code = 'company_not_found' }) => refuse(errors.notFound(code, 'Not found.')),
  invalidDefinition: () => refuse(errors.invalidDefinition('The definition tree is malformed.')),
  errorShape: ({ status = 400, code = 'invalid_request' }) =>
    refuse(new ServiceError(status, code, 'Something about the request is wrong.')),
} as const satisfies Record<string, (options: PresetOptions) => Fault>;

export type FaultPreset = keyof typeof FAULT_PRESETS;
