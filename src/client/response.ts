import type { ApiResponse, Call } from './call';
import {
  CancelledError,
  ConnectionError,
  InvalidResponseError,
  ServiceError,
  NOT_THE_SERVICE_HINT,
} from './errors';
import { readErrorBody } from './error-body';
import { isSuccess, type ExchangeResult, type HttpResponse } from './exchange/transport';
import { createErrorFromResponse, nameRedirectHost } from './error-mapping';
import { redact, redactBytes, redactData } from './redact';
import {
  readRetryAfter,
  readThrottleAdvice,
  readRequestedWait,
  readServerTime,
  type AttemptFailure,
  type Headers,
} from './retry';
import { truncateText } from '../values/text';
import { findJsonRisk, isJsonObject } from '../values/json';

type ClassifiedResponse<T> = { readonly value: T } | Failed;

interface Failed {
  readonly error: ServiceError;
  readonly failure: AttemptFailure;
}

/** Any error while reading the response is a failure of the call, because the call was sent. */
export function classifyResponse<T>(
  call: Call<T>,
  outcome: ExchangeResult,
  apiKey: string,
): ClassifiedResponse<T> {
  try {
    if (outcome instanceof ServiceError) throw outcome;
    if (!isSuccess(outcome)) return classifyRefusal(call, outcome, apiKey);
    if (isNotReady(call, outcome)) return createNotReadyResult(outcome.headers);
    return { value: readResponse(call, outcome, apiKey) };
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    if (error instanceof ConnectionError) {
      const kind = error.neverConnected ? 'not-sent' : 'maybe-done';
      return { failure: { kind }, error: redactError(error, apiKey) };
    }
    const failure = error instanceof ServiceError ? error : toInternalFault(error);
    const isUnclear = failure instanceof InvalidResponseError && !failure.isFinal;
    // The call's reader raised this error deliberately. A call with an effect took place anyway.
    if (failure === error && call.repeatable && !(error instanceof InvalidResponseError))
      throw error;
    return {
      // For a bug of this package or a response that is too large, a retry would get the same.
      failure: { kind: isUnclear || !call.repeatable ? 'maybe-done' : 'refused' },
      error: redactError(failure, apiKey),
    };
  }
}

class InternalFaultError extends ServiceError {}

const MAX_CAUSE_LENGTH = 300;

function toInternalFault(cause: unknown): InternalFaultError {
  const error = new InternalFaultError({
    code: 'own_fault',
    message: `This node could not read the response because of a bug in this package (${truncateText(String(cause), MAX_CAUSE_LENGTH)})`,
    hint: 'The service, your key and your data are fine. Report this message to the maintainers of this package.',
  });
  return Object.assign(error, { cause });
}

const ACCEPTED = 202;

function isNotReady<T>(call: Call<T>, { status }: HttpResponse): boolean {
  return status === ACCEPTED && isReadOnly(call) && call.canBePending !== true;
}

function isReadOnly<T>({ repeatable, method }: Call<T>): boolean {
  return repeatable && (method === 'GET' || method === 'POST');
}

function createNotReadyResult(headers: Headers): Failed {
  const error = new InvalidResponseError({
    code: 'not_ready',
    message: 'The service is still processing this request',
    hint: 'Run again in a minute or two.',
    status: ACCEPTED,
    affectsAnyRequest: true,
  });
  const waitMs = readRetryAfter(headers['retry-after'], readServerTime(headers, Date.now()));
  return { failure: { kind: 'maybe-done', waitMs }, error };
}

function classifyRefusal<T>(call: Call<T>, response: HttpResponse, apiKey: string): Failed {
  const { status, headers } = response;
  // Redacted before reading, which truncates long texts and could leave half a key; and after reading,
  // because JSON may have escaped the key.
  const body = redact(readErrorBody(redact(decode(response), apiKey)), apiKey);
  const refused = createErrorFromResponse(status, body, call.errorTexts);
  const error = nameRedirectHost(refused, redact(headers.location, apiKey));
  const now = readServerTime(headers, Date.now());
  if (status === 429) {
    const advice = readThrottleAdvice(headers, body.fields, now);
    return { failure: { kind: 'throttled', ...advice }, error };
  }
  // A list that was edited while it was read is read again (API spec: Lists, rule 3).
  const wasEdited = status === 409 && isReadOnly(call) && call.errorTexts?.[status] !== undefined;
  if (status >= 500 || status === 408 || wasEdited) {
    const waitMs = readRequestedWait(headers, body.fields, now);
    return { failure: { kind: 'maybe-done', waitMs }, error };
  }
  return { failure: { kind: 'refused' }, error };
}

function redactError(error: ServiceError, apiKey: string): ServiceError {
  const { message, hint, details } = error;
  return error.copyWith(redact({ message, hint, details }, apiKey));
}

const MAX_BEGINNING_BYTES = 1024;

/** Decodes a body with the charset that it declares; UTF-8 if it declares none that is known. */
function decode({ headers, body }: HttpResponse): string {
  const [, charset] = /;\s*charset="?([\w-]+)/i.exec(headers['content-type'] ?? '') ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** The key is redacted first, in case a proxy or a debug page echoes the request. */
function readResponse<T>(call: Call<T>, response: HttpResponse, apiKey: string): T {
  const { status } = response;
  const isFile = call.fileType !== undefined;
  // A text of a file would be a second copy of up to 256 MB.
  const bytes = isFile ? redactBytes(response.body, apiKey) : response.body;
  const shown = isFile ? bytes.subarray(0, MAX_BEGINNING_BYTES) : bytes;
  const text = redactData(decode({ ...response, body: shown }), apiKey);
  const headers = redactData(response.headers, apiKey);
  const json = isFile || call.anyText === true ? undefined : parseJson(text);
  try {
    return call.read({ status, headers, json, text, bytes });
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error;
    // A complete response of another shape that states no error would be the same again.
    const isFinal = error.isFinal || (json !== undefined && !isErrorBody(json));
    throw Object.assign(withServiceMessage(error, { json, text }), { isFinal });
  }
}

function withServiceMessage(
  error: InvalidResponseError,
  { json, text }: Pick<ApiResponse, 'json' | 'text'>,
): InvalidResponseError {
  const { message } = isJsonObject(json) ? readErrorBody(text) : {};
  if (message === undefined) return error;
  return error.copyWith({
    message: `${error.message} (the service says: ${message})`,
    hint: 'Run again later. If the error returns, check the Base URL in the credential.',
  });
}

export function isErrorBody(json: unknown): boolean {
  if (!isJsonObject(json)) return false;
  const { error, errors, success, ok } = json;
  const isFilled = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
  return isFilled(error) || isFilled(errors) || success === false || ok === false;
}

const MAX_LEVELS = 200;

/** JSON.parse takes seconds for millions of tiny objects, which a few kilobytes can hold when compressed. */
const MAX_OBJECTS = 1_000_000;

/** In characters; longer texts that are not JSON are not requested again. */
const MAX_RETRIED_LENGTH = 4 * 1024 * 1024;

/** An integer that JavaScript cannot represent exactly, such as a 64-bit ID, becomes a string. */
export function parseJson(
  text: string,
  ifNotJson = (): unknown => {
    throw createNotJsonError(text);
  },
): unknown {
  if (text.trim() === '') return undefined;
  if (/^\s*[[{]/.test(text) && countObjects(text) > MAX_OBJECTS) {
    throw createTooLargeError('The response has too many objects and lists');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return ifNotJson();
  }
  const risk = findJsonRisk(value, MAX_LEVELS);
  // Very deep nesting overflows the stack when the value is walked, here or in n8n.
  if (risk === 'deep') {
    throw createTooLargeError(`The response is nested more than ${String(MAX_LEVELS)} levels deep`);
  }
  return risk === undefined ? value : JSON.parse(quoteUnsafeIntegers(text));
}

function countObjects(text: string): number {
  let count = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) count += 1;
  }
  return count;
}

function createTooLargeError(message: string): InvalidResponseError {
  return new InvalidResponseError({
    code: 'response_too_large',
    message,
    hint: 'Check the Base URL in the credential. The service never sends responses like this.',
  });
}

export const HTML_RESPONSE_MESSAGE = 'The response is an HTML page, not JSON';

function createNotJsonError(text: string): InvalidResponseError {
  const isWebPage = text.trimStart().startsWith('<');
  return new InvalidResponseError({
    code: text.length > MAX_RETRIED_LENGTH ? 'response_too_large' : 'invalid_response',
    message: isWebPage ? HTML_RESPONSE_MESSAGE : 'The response is not complete JSON',
    hint: NOT_THE_SERVICE_HINT,
    isWebPage,
  });
}

/** Strings are skipped without an expression, which could overflow the stack in one of many megabytes. */
function quoteUnsafeIntegers(text: string): string {
  const next = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const parts: string[] = [];
  let copied = 0;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [part] = found;
    if (part === '"') next.lastIndex = findStringEnd(text, found.index) + 1;
    else if (/^-?\d{16,}$/.test(part) && !Number.isSafeInteger(Number(part))) {
      parts.push(text.slice(copied, found.index), `"${part}"`);
      copied = next.lastIndex;
    }
  }
  return [...parts, text.slice(copied)].join('');
}

function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    let before = at - 1;
    while (text[before] === '\\') before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
}
