import type { Answer, Call, Sending } from './call';
import { readErrorBody } from './error-body';
import {
  CancelledError,
  ConnectionError,
  invalidResponse,
  InvalidResponseError,
  ServiceError,
  SOMETHING_ELSE_ANSWERED,
} from './errors';
import type { HttpAnswer, Outcome, Refusal } from './exchange/transport';
import { errorOfAnswer } from './meaning';
import { redact, redactData } from './redact';
import {
  readRetryAfter,
  readThrottleAdvice,
  readWait,
  serversNow,
  type Failure,
  type Headers,
} from './retry';
import { cut, flawOf, isRow } from './values';

/** What became of one sending. */
export type Judgement<T> = { readonly value: T } | Failed;

interface Failed {
  readonly error: ServiceError;
  readonly failure: Failure;
}

/**
 * What came of sending a call means for it. Whatever goes wrong in reading its answer is a failure of
 * the call, because the call was sent.
 *
 * @param apiKey is in none of the texts.
 * @throws {CancelledError} when the run was stopped.
 */
export function judge<T, Body>(
  call: Sending<T>,
  outcome: Outcome<Body>,
  apiKey: string,
  read: (answer: HttpAnswer<Body>) => T,
): Judgement<T> {
  try {
    if (outcome instanceof ServiceError) return unanswered(call, outcome, apiKey);
    if ('refusal' in outcome) return refused(call, outcome, apiKey);
    if (isNotReady(call, outcome)) return notReady(outcome.headers);
    return { value: read(outcome) };
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    const known = error instanceof ServiceError;
    // What the reader of a call says on purpose; a call with an effect was done all the same.
    if (known && call.repeatable && !(error instanceof InvalidResponseError)) throw error;
    return {
      // Where it is the reader that failed, the same answer would make it fail again.
      failure: { kind: known || !call.repeatable ? 'maybe-done' : 'refused' },
      error: withoutKey(known ? error : ownFault(error), apiKey),
    };
  }
}

/** An answer arrived, and this package failed over it. */
export class OwnFaultError extends ServiceError {
  /** It may fail over one row of a batch only. */
  override readonly matter = 'perhaps-somebodys';
}

/** Lines of a stack that tell where something failed. */
const STACK_LINES = 4;
const MAX_CAUSE_LENGTH = 300;

/** @param cause goes with it, in words and as it is. */
function ownFault(cause: unknown): OwnFaultError {
  const { stack = '' } = cause instanceof Error ? cause : {};
  const error = new OwnFaultError({
    code: 'own_fault',
    message: `This node failed to read the response, which is our fault (${cut(String(cause), MAX_CAUSE_LENGTH)})`,
    hint: 'The service, your key and your data are all right. Report this message to the maintainers of this package.',
    details: { cause: stack.split('\n').slice(0, STACK_LINES).join('\n') },
  });
  return Object.assign(error, { cause });
}

const ACCEPTED = 202;

/** Whether the service has only begun to prepare what a call reads. */
function isNotReady<T>(call: Sending<T>, { status }: { readonly status: number }): boolean {
  return status === ACCEPTED && isRead(call) && call.mayBePending !== true;
}

function isRead<T>({ repeatable, method }: Sending<T>): boolean {
  return repeatable && (method === 'GET' || method === 'POST');
}

function notReady(headers: Headers): Failed {
  const error = new InvalidResponseError({
    code: 'not_ready',
    message: 'The service is still working on this',
    hint: 'Run again in a minute or two.',
    status: ACCEPTED,
    isEverybodys: true,
  });
  const waitMs = readRetryAfter(headers['retry-after'], serversNow(headers, Date.now()));
  return { failure: { kind: 'maybe-done', waitMs }, error };
}

function unanswered<T>(call: Sending<T>, error: ServiceError, apiKey: string): Failed {
  if (error instanceof CancelledError) throw error;
  // It may repeat a header.
  const shown = withoutKey(error, apiKey);
  if (error instanceof ConnectionError) {
    return { failure: { kind: error.reachedNobody ? 'not-sent' : 'maybe-done' }, error: shown };
  }
  // The same would come again; what had an effect may have had it all the same.
  return { failure: { kind: call.repeatable ? 'refused' : 'maybe-done' }, error: shown };
}

function refused<T>(call: Sending<T>, answer: Refusal, apiKey: string): Failed {
  const { status, headers, refusal } = answer;
  // Before reading, because reading cuts long texts and could leave half a key; and after, because
  // JSON may have spelled the key with escapes.
  const body = redact(readErrorBody(redact(refusal, apiKey)), apiKey);
  const error = errorOfAnswer(status, body, {
    words: call.words,
    isBatch: isRow(call.body) && Array.isArray(call.body.domains),
  });
  const now = serversNow(headers, Date.now());
  if (status === 429) {
    const advice = readThrottleAdvice(headers, body.fields, now);
    return { failure: { kind: 'throttled', ...advice }, error };
  }
  // A list that was edited while it was read is read again (interface: Lists, rule 3).
  const wasEdited = status === 409 && isRead(call) && call.words?.[status] !== undefined;
  if (status >= 500 || status === 408 || wasEdited) {
    const waitMs = readWait(headers, body.fields, now);
    return { failure: { kind: 'maybe-done', waitMs }, error };
  }
  return { failure: { kind: 'refused' }, error };
}

function withoutKey(error: ServiceError, apiKey: string): ServiceError {
  const { message, hint, details } = error;
  return error.retold(redact({ message, hint, details }, apiKey));
}

/**
 * What a call reads of its answer; without the key, should a proxy or a page for debugging echo the
 * request.
 *
 * @throws whatever the call's reader throws.
 */
export function readAnswer<T>(call: Call<T>, answer: HttpAnswer, apiKey: string): T {
  const text = redactData(answer.body, apiKey);
  const json = call.anyText === true ? undefined : parseJson(text);
  try {
    return call.read(new AnswerRead(answer, json, text, apiKey));
  } catch (error) {
    throw error instanceof InvalidResponseError ? inItsWords(error, { json, text }) : error;
  }
}

/**
 * An answer as a call reads it. A class, because V8 makes a hidden class of its own for each object that
 * is written with a getter, and what such a getter sees stays in memory for long: here a whole page.
 */
class AnswerRead implements Answer {
  readonly status: number;
  // Not to be seen from outside, should the answer itself end up in an item or a log.
  readonly #headers: Headers;
  readonly #apiKey: string;

  constructor(
    answer: HttpAnswer,
    readonly json: unknown,
    readonly text: string,
    apiKey: string,
  ) {
    this.status = answer.status;
    this.#headers = answer.headers;
    this.#apiKey = apiKey;
  }

  /** Made where they are read: most calls read none, and it takes longer than the body. */
  get headers(): Headers {
    return redactData(this.#headers, this.#apiKey);
  }
}

/** What an answer says that is none of what was asked for. */
function inItsWords(
  error: InvalidResponseError,
  { json, text }: Pick<Answer, 'json' | 'text'>,
): InvalidResponseError {
  const { message } = isRow(json) ? readErrorBody(text) : {};
  if (message === undefined) return error;
  return error.retold({
    message: `${error.message} (the service says: ${message})`,
    hint: 'Try again later; if that does not help, check the Base URL in the credential.',
  });
}

/** So deep an answer may be nested. Those of the interface are nested five deep. */
const MAX_LEVELS = 200;

/** So many fields an object of an answer may have: V8 takes seconds to go through many more. */
const MAX_FIELDS = 100_000;

/** A text, or a number, of JSON; which one it is shows at its first character. */
const TEXT_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads a JSON text. A whole number that JavaScript cannot hold, such as an id of 64 bits, becomes a
 * text: as a number it would be another one.
 *
 * @returns undefined when it is empty.
 * @throws {InvalidResponseError} when it is no JSON, nested too deeply, or too wide.
 */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  const value = parsed(text);
  return usable(value) ? value : parsed(text.replace(TEXT_OR_NUMBER, quotedIfUnsafe));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const isEverybodys = text.trimStart().startsWith('<');
    throw new InvalidResponseError({
      code: 'invalid_response',
      message: isEverybodys
        ? 'The answer is an HTML page, not JSON'
        : 'The answer is not complete JSON',
      hint: SOMETHING_ELSE_ANSWERED,
      isEverybodys,
    });
  }
}

/**
 * An answer that may be used: whoever follows one that is nested very deeply, here or in n8n, runs out
 * of stack, and an object of very many fields stops n8n for seconds.
 *
 * @throws {InvalidResponseError}
 */
export function bounded(answer: unknown): unknown {
  usable(answer);
  return answer;
}

/** @returns whether all numbers are exact. */
function usable(answer: unknown): boolean {
  const flaw = flawOf(answer, MAX_LEVELS, MAX_FIELDS);
  if (flaw !== 'deep' && flaw !== 'wide') return flaw === undefined;
  throw invalidResponse(
    flaw === 'deep'
      ? `The answer is nested more than ${String(MAX_LEVELS)} levels deep`
      : `The answer holds an object of more than ${MAX_FIELDS.toLocaleString('en')} fields`,
    'Check the Base URL in the credential; no answer of the service is built like that.',
  );
}

function quotedIfUnsafe(part: string): string {
  return /^-?\d{16,}$/.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part;
}
