import { errorBody, errors, ServiceError } from '../errors';
import type { Fault, PresetOptions } from './types';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function page(status: number, title: string, headers: Record<string, string> = {}): Fault {
  return {
    kind: 'respond',
    status,
    headers: { ...HTML, ...headers },
    body: `<!doctype html><html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`,
  };
}

function refusal(error: ServiceError): Fault {
  return {
    kind: 'respond',
    status: error.status,
    headers: { ...JSON_TYPE, ...error.headers },
    body: JSON.stringify(errorBody(error)),
  };
}

function tooMany(seconds: number, headers: Record<string, string>, bodySays: boolean): Fault {
  const body: Record<string, unknown> = {
    error: 'operational_rate_limit_exceeded',
    message: 'Rate limit exceeded.',
  };
  if (bodySays) body.retry_after_seconds = seconds;
  return {
    kind: 'respond',
    status: 429,
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  };
}

/**
 * Predefined faults by name. Use `next` to repeat one, for example `rateLimit` for the next 20
 * requests.
 */
export const FAULT_PRESETS = {
  resetBefore: (): Fault => ({ kind: 'resetBefore' }),
  resetAfter: (): Fault => ({ kind: 'resetAfter' }),
  neverAnswer: (): Fault => ({ kind: 'neverAnswer' }),
  bytePerSecond: (): Fault => ({ kind: 'drip', everyMs: 1000 }),
  html500: (): Fault => page(500, 'Internal Server Error'),
  html502: (): Fault => page(502, 'Bad Gateway'),
  unavailable: (): Fault => page(503, 'Service Unavailable'),
  unavailableRetryAfter: ({ seconds = 1 }: PresetOptions): Fault =>
    page(503, 'Service Unavailable', { 'retry-after': String(seconds) }),
  rateLimit: ({ seconds = 1 }: PresetOptions): Fault =>
    tooMany(seconds, { 'retry-after': String(seconds) }, true),
  rateLimitBodyOnly: ({ seconds = 1 }: PresetOptions): Fault => tooMany(seconds, {}, true),
  rateLimitHttpDate: ({ seconds = 2 }: PresetOptions): Fault => {
    const at = (ms: number) => new Date(Date.now() + ms).toUTCString();
    // Take both headers from one clock: Node's own Date header does not follow the clock of a test.
    return tooMany(seconds, { date: at(0), 'retry-after': at(seconds * 1000) }, false);
  },
  creditExhausted: ({ requested = 100, shortfall = 60 }: PresetOptions): Fault =>
    refusal(errors.creditExhausted(requested, shortfall)),
  unauthorized: (): Fault => refusal(errors.unauthenticated()),
  organizationKey: (): Fault => refusal(errors.userCredentialRequired()),
  forbidden: ({ code = 'forbidden' }: PresetOptions): Fault =>
    refusal(new ServiceError(403, code, 'This key may not do that.')),
  notFound: ({ code = 'company_not_found' }: PresetOptions): Fault =>
    refusal(errors.notFound(code, `Not found (${code}).`)),
  batchTooLarge: (): Fault => refusal(errors.batchTooLarge(50, 100)),
  conflict: ({ code = 'definition_version_conflict' }: PresetOptions): Fault =>
    refusal(new ServiceError(409, code, 'The definition was changed meanwhile.')),
  invalidDefinition: ({ code = 'invalid_definition' }: PresetOptions): Fault =>
    refusal(new ServiceError(422, code, 'The definition tree is malformed.')),
  cutConnection: (): Fault => ({ kind: 'truncate', share: 0.5 }),
  truncatedJson: (): Fault => ({ kind: 'cutJson' }),
  html200: (): Fault => page(200, 'Welcome'),
  null200: (): Fault => ({ kind: 'respond', status: 200, headers: JSON_TYPE, body: 'null' }),
  empty200: (): Fault => ({ kind: 'respond', status: 200, headers: {}, body: '' }),
  wrongTypes: (): Fault => ({ kind: 'wrongTypes' }),
  extraFields: (): Fault => ({ kind: 'extraFields' }),
  hugeBody: ({ bytes = 300_000_000 }: PresetOptions): Fault => ({ kind: 'hugeBody', bytes }),
  gzipBomb: ({ bytes = 1_000_000_000 }: PresetOptions): Fault => ({ kind: 'gzipBomb', bytes }),
  redirect: ({ to = 'http://127.0.0.1:9/elsewhere', status = 302 }: PresetOptions): Fault => ({
    kind: 'respond',
    status,
    headers: { location: to },
    body: '',
  }),
  errorShape: ({ status = 400, code = 'invalid_request' }: PresetOptions): Fault =>
    refusal(new ServiceError(status, code, 'Something about the request is wrong.')),
  errorHtml: ({ status = 400 }: PresetOptions): Fault => page(status, 'Error'),
  errorEmpty: ({ status = 400 }: PresetOptions): Fault => ({
    kind: 'respond',
    status,
    headers: {},
    body: '',
  }),
} as const satisfies Record<string, (options: PresetOptions) => Fault>;

export type FaultPreset = keyof typeof FAULT_PRESETS;
