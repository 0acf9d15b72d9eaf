import type { ApiResponse, Call, CallSpec } from './call';
import { readErrorBody } from './error-body';
import {
  CancelledError,
  ConnectionError,
  createInvalidResponseError,
  InvalidResponseError,
  ServiceError,
  NOT_THE_SERVICE_HINT,
} from './errors';
import type { HttpSuccess, ExchangeResult, ErrorResponse } from './exchange/transport';
import { errorFromResponse } from './error-mapping';
import { redact, redactData } from './redact';
import {
  readRetryAfter,
  readThrottleAdvice,
  readRequestedWait,
  serverTime,
  type AttemptFailure,
  type Headers,
} from './retry';
import { truncateText, findJsonRisk, isRow } from './values';

/** Result of one attempt: the value that the call reads, or the failure. */
export type ClassifiedResponse<T> = { readonly value: T } | Failed;

interface Failed {
  readonly error: ServiceError;
  readonly failure: AttemptFailure;
}

/**
 * Classifies the outcome of an attempt. Any error while reading the response is a failure of the call,
 * because the call was sent.
 *
 * @param apiKey Removed from all texts.
 * @throws {CancelledError} if the execution was stopped.
 */
export function classifyResponse<T, Body>(
  call: CallSpec<T>,
  outcome: ExchangeResult<Body>,
  apiKey: string,
  read: (answer: HttpSuccess<Body>) => T,
): ClassifiedResponse<T> {
  try {
    if (outcome instanceof ServiceError) return noResponseResult(call, outcome, apiKey);
    if ('refusal' in outcome) return refusalResult(call, outcome, apiKey);
    if (isNotReady(call, outcome)) return notReadyResult(outcome.headers);
    return { value: read(outcome) };
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    const known = error instanceof ServiceError;
    // The call's reader raised this error deliberately. A call with an effect took place anyway.
    if (known && call.repeatable && !(error instanceof InvalidResponseError)) throw error;
    return {
      // If the reader itself failed, the same response would make it fail again.
      failure: { kind: known || !call.repeatable ? 'maybe-done' : 'refused' },
      error: redactError(known ? error : toInternalFault(error), apiKey),
    };
  }
}

/** A response arrived, and a bug in this package made reading it fail. */
export class InternalFaultError extends ServiceError {
  /** The bug may affect a single row of a batch only. */
  override readonly failureScope = 'uncertain';
}

/** Number of stack lines that show where something failed. */
const STACK_LINES = 4;
const MAX_CAUSE_LENGTH = 300;

/** @param cause Original error, added to the message and as `cause`. */
function toInternalFault(cause: unknown): InternalFaultError {
  const { stack = '' } = cause instanceof Error ? cause : {};
  const error = new InternalFaultError({
    code: 'own_fault',
    message: `This node could not read the response because of a bug in this package (${truncateText(String(cause), MAX_CAUSE_LENGTH)})`,
    hint: 'The service, your key and your data are fine. Report this message to the maintainers of this package.',
    details: { cause: stack.split('\n').slice(0, STACK_LINES).join('\n') },
  });
  return Object.assign(error, { cause });
}

const ACCEPTED = 202;

/** Returns whether the service is still preparing the data that a call reads. */
function isNotReady<T>(call: CallSpec<T>, { status }: { readonly status: number }): boolean {
  return status === ACCEPTED && isReadOnly(call) && call.canBePending !== true;
}

function isReadOnly<T>({ repeatable, method }: CallSpec<T>): boolean {
  return repeatable && (method === 'GET' || method === 'POST');
}

function notReadyResult(headers: Headers): Failed {
  const error = new InvalidResponseError({
    code: 'not_ready',
    message: 'The service is still processing this request',
    hint: 'Run again in a minute or two.',
    status: ACCEPTED,
    affectsAnyRequest: true,
  });
  const waitMs = readRetryAfter(headers['retry-after'], serverTime(headers, Date.now()));
  return { failure: { kind: 'maybe-done', waitMs }, error };
}

function noResponseResult<T>(call: CallSpec<T>, error: ServiceError, apiKey: string): Failed {
  if (error instanceof CancelledError) throw error;
  // The error can contain a header that includes the key.
  const shown = redactError(error, apiKey);
  if (error instanceof ConnectionError) {
    return { failure: { kind: error.neverConnected ? 'not-sent' : 'maybe-done' }, error: shown };
  }
  // A retry would get the same response. A call with an effect may have taken place anyway.
  return { failure: { kind: call.repeatable ? 'refused' : 'maybe-done' }, error: shown };
}

function refusalResult<T>(call: CallSpec<T>, answer: ErrorResponse, apiKey: string): Failed {
  const { status, headers, refusal } = answer;
  // Redact before reading, because reading truncates long texts and could leave half a key; and after
  // reading, because JSON may have escaped the key.
  const body = redact(readErrorBody(redact(refusal, apiKey)), apiKey);
  const error = errorFromResponse(status, body, {
    errorTexts: call.errorTexts,
    isBatch: isRow(call.body) && Array.isArray(call.body.domains),
  });
  const now = serverTime(headers, Date.now());
  if (status === 429) {
    const advice = readThrottleAdvice(headers, body.fields, now);
    return { failure: { kind: 'throttled', ...advice }, error };
  }
  // A list that was edited while the client read it is read again (API spec: Lists, rule 3).
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

/**
 * Returns what a call reads from its response. The key is redacted first, in case a proxy or a debug
 * page echoes the request.
 *
 * @throws Whatever the call's reader throws.
 */
export function readResponse<T>(call: Call<T>, answer: HttpSuccess, apiKey: string): T {
  const text = redactData(answer.body, apiKey);
  const json = call.anyText === true ? undefined : parseJson(text);
  try {
    return call.read(new ParsedResponse(answer, json, text, apiKey));
  } catch (error) {
    throw error instanceof InvalidResponseError ? withServiceMessage(error, { json, text }) : error;
  }
}

/**
 * A response as a call reads it. This is a class because V8 creates a separate hidden class for each
 * object literal with a getter, and everything in the getter's scope, here a whole page, stays in
 * memory for a long time.
 */
class ParsedResponse implements ApiResponse {
  readonly status: number;
  // Private, in case the response itself ends up in an item or a log.
  readonly #headers: Headers;
  readonly #apiKey: string;

  constructor(
    answer: HttpSuccess,
    readonly json: unknown,
    readonly text: string,
    apiKey: string,
  ) {
    this.status = answer.status;
    this.#headers = answer.headers;
    this.#apiKey = apiKey;
  }

  /** Redacted on access, because most calls read no headers and redacting them takes longer than the body. */
  get headers(): Headers {
    return redactData(this.#headers, this.#apiKey);
  }
}

/** Adds the service's own message to the error, if the unexpected response contains one. */
function withServiceMessage(
  error: InvalidResponseError,
  { json, text }: Pick<ApiResponse, 'json' | 'text'>,
): InvalidResponseError {
  const { message } = isRow(json) ? readErrorBody(text) : {};
  if (message === undefined) return error;
  return error.copyWith({
    message: `${error.message} (the service says: ${message})`,
    hint: 'Run again later. If the error returns, check the Base URL in the credential.',
  });
}

/** Maximum nesting depth of a response. Responses of the API spec are nested 5 levels deep. */
const MAX_LEVELS = 200;

/** Maximum number of fields of an object in a response. V8 takes seconds to iterate over many more. */
const MAX_FIELDS = 50_000;

/**
 * Most parts of a response that are always accepted, bytes of each on average in a larger response, and
 * the characters that are counted for them. Responses of the API spec stay far below.
 */
const PART_LIMITS = [
  { parts: 'objects and lists', always: 400_000, bytesEach: 40, marks: '[{' },
  { parts: 'values', always: 2_000_000, bytesEach: 10, marks: ',' },
];
/** Matches a string or a number in JSON; the first character distinguishes them. */
const TEXT_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses a JSON text. An integer that JavaScript cannot represent exactly, such as a 64-bit ID, becomes
 * a string, because its number would be a different one.
 *
 * @param ifNotJson Returns the value of a text that is not JSON; throws an error if omitted.
 * @returns The value; undefined if the text is empty.
 * @throws {InvalidResponseError} if the text is not JSON, is nested too deeply, or has too many fields or
 *   too many tiny parts.
 */
export function parseJson(
  text: string,
  ifNotJson = (): unknown => {
    throw createNotJsonError(text);
  },
): unknown {
  if (text.trim() === '') return undefined;
  assertFewParts(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return ifNotJson();
  }
  return isUsable(value) ? value : JSON.parse(text.replace(TEXT_OR_NUMBER, quoteUnsafeInteger));
}

/** JSON.parse itself blocks n8n for seconds if a long text consists of tiny parts. */
function assertFewParts(text: string): void {
  if (!/^\s*[[{]/.test(text)) return;
  for (const { parts, always, bytesEach, marks } of PART_LIMITS) {
    const most = Math.max(always, text.length / bytesEach);
    if (text.length > most && countCharacters(marks, text) > most) {
      throw createUnusableError(
        `The response contains more than ${Math.floor(most).toLocaleString('en')} ${parts}`,
      );
    }
  }
}

/** Counts how often a text contains some characters. */
function countCharacters(characters: string, text: string): number {
  let count = 0;
  for (const character of characters) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1))
      count += 1;
  }
  return count;
}

function createUnusableError(message: string): InvalidResponseError {
  return createInvalidResponseError(
    message,
    'Check the Base URL in the credential. The service never sends responses like this.',
  );
}

export const HTML_RESPONSE_MESSAGE = 'The response is an HTML page, not JSON';

function createNotJsonError(text: string): InvalidResponseError {
  const affectsAnyRequest = text.trimStart().startsWith('<');
  return new InvalidResponseError({
    code: 'invalid_response',
    message: affectsAnyRequest ? HTML_RESPONSE_MESSAGE : 'The response is not complete JSON',
    hint: NOT_THE_SERVICE_HINT,
    affectsAnyRequest,
  });
}

/**
 * Checks that a response is safe to walk: very deep nesting overflows the stack, here or in n8n, and an
 * object with very many fields blocks n8n for seconds.
 *
 * @returns Whether all numbers are exact.
 * @throws {InvalidResponseError} if the response is nested too deeply or has too many fields.
 */
function isUsable(answer: unknown): boolean {
  const risk = findJsonRisk(answer, MAX_LEVELS, MAX_FIELDS);
  if (risk !== 'deep' && risk !== 'wide') return risk === undefined;
  throw createUnusableError(
    risk === 'deep'
      ? `The response is nested more than ${String(MAX_LEVELS)} levels deep`
      : `The response contains an object with more than ${MAX_FIELDS.toLocaleString('en')} fields`,
  );
}

function quoteUnsafeInteger(part: string): string {
  return /^-?\d{16,}$/.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part;
}
