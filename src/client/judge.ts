import { isAboutWhatWasAsked } from './about-asked';
import type { Answer, Arriving, Call, Download, Sending } from './call';
import { readErrorBody } from './error-body';
import { CancelledError, invalidResponse, InvalidResponseError, ServiceError } from './errors';
import type { Exchange } from './exchange/outcome';
import type { StreamedAnswer } from './exchange/stream';
import { isSuccess } from './exchange/transport';
import { isRecord } from './is-record';
import { parseJson } from './json';
import { errorOfAnswer } from './meaning';
import { redact, redactData } from './redact';
import type { Failure } from './retry';
import { readThrottleAdvice, readWait, serversNow, type ThrottleAdvice } from './retry-after';
import { noAnswer, tooLarge } from './unanswered';

/** What became of one exchange. */
export type Judgement<T> = { readonly kind: 'success'; readonly value: T } | Failed;

interface Failed {
  readonly kind: 'failure';
  readonly failure: Failure;
  readonly error: ServiceError;
  readonly advice?: ThrottleAdvice;
}

type Answered = Extract<Exchange, { kind: 'answer' }>;

/**
 * What an exchange means for a call. Whatever goes wrong in reading its answer is a failure of the
 * call, because the call was sent.
 *
 * @param apiKey is in none of the texts.
 * @throws {CancelledError} when the run was stopped.
 */
export function judgeAnswer<T>(call: Call<T>, outcome: Exchange, apiKey: string): Judgement<T> {
  return guarded(call, apiKey, () => {
    if (outcome.kind !== 'answer' || !isSuccess(outcome.status)) {
      return judgeFailure(call, outcome, apiKey);
    }
    const answer = answerOf(outcome, apiKey, call.anyText);
    try {
      return { kind: 'success', value: call.read(answer) };
    } catch (error) {
      throw error instanceof InvalidResponseError ? inItsWords(error, answer) : error;
    }
  });
}

/** What an answer says that is none of what was asked for. */
function inItsWords(error: InvalidResponseError, { json, text }: Answer): InvalidResponseError {
  const { message } = isRecord(json) ? readErrorBody(text) : {};
  if (message === undefined) return error;
  return error.retold({
    message: `${error.message} (the service says: ${message})`,
    hint: 'Try again later; if that does not help, check the Base URL in the credential.',
  });
}

/**
 * The same for an answer of which the body is still arriving.
 *
 * @param whole makes the body what the call's reader gets.
 */
export function judgeArrival<T>(
  call: Download<T>,
  outcome: Exchange | StreamedAnswer,
  apiKey: string,
  whole: (body: StreamedAnswer['body']) => Arriving['body'],
): Judgement<T> {
  return guarded(call, apiKey, () => {
    if (outcome.kind !== 'stream') return judgeFailure(call, outcome, apiKey);
    const { headers, start, body } = outcome;
    return { kind: 'success', value: call.read({ headers, start, body: whole(body) }) };
  });
}

function guarded<T>(call: Sending<T>, apiKey: string, judge: () => Judgement<T>): Judgement<T> {
  try {
    return judge();
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    const known = error instanceof ServiceError;
    // What the reader of a call says on purpose; a call with an effect was done all the same.
    if (known && call.repeatable && !(error instanceof InvalidResponseError)) throw error;
    return {
      kind: 'failure',
      // Where it is the reader that failed, the same answer would make it fail again.
      failure: { kind: known || !call.repeatable ? 'unreadable' : 'refused' },
      error: known ? withoutKey(error, apiKey) : invalidResponse('The answer could not be read'),
    };
  }
}

function judgeFailure<T>(call: Sending<T>, outcome: Exchange, apiKey: string): Failed {
  switch (outcome.kind) {
    case 'cancelled':
      throw new CancelledError();
    case 'too-large':
      return { kind: 'failure', failure: inVain(call), error: tooLarge() };
    case 'no-answer':
      return {
        kind: 'failure',
        failure:
          outcome.isUnreadable === true
            ? inVain(call)
            : { kind: outcome.maybeProcessed ? 'no-answer' : 'not-sent' },
        // It may repeat a header.
        error: withoutKey(noAnswer(outcome), apiKey),
      };
    case 'answer':
      return judgeRefusal(call, outcome, apiKey);
  }
}

/** The same would come again; what had an effect may have had it all the same. */
function inVain<T>({ repeatable }: Sending<T>): Failure {
  return { kind: repeatable ? 'refused' : 'no-answer' };
}

function judgeRefusal<T>(call: Sending<T>, answer: Answered, apiKey: string): Failed {
  // Before reading, because reading cuts long texts and could leave half a key; and after, because
  // JSON may have spelled the key with escapes.
  const body = redact(readErrorBody(redact(answer.body, apiKey)), apiKey);
  const isBatch = isRecord(call.body) && Array.isArray(call.body.domains);
  const error = errorOfAnswer(
    answer.status,
    body,
    call.words,
    isBatch,
    // Asked of a 404 only: it takes long for a long body, and says nothing of another status.
    answer.status === 404 && isAboutWhatWasAsked(answer.body),
  );
  const now = serversNow(answer.headers, Date.now());
  if (answer.status === 429) {
    const advice = readThrottleAdvice(answer.headers, body.fields, now);
    return {
      kind: 'failure',
      failure: { kind: 'throttled', waitMs: advice.waitMs },
      error,
      advice,
    };
  }
  if (answer.status >= 500 || answer.status === 408) {
    const waitMs = readWait(answer.headers, body.fields, now);
    return { kind: 'failure', failure: { kind: 'server', waitMs }, error };
  }
  return { kind: 'failure', failure: { kind: 'refused' }, error };
}

/** What a call reads: without the key, should a proxy or a page for debugging echo the request. */
function answerOf({ status, headers, body }: Answered, apiKey: string, anyText = false): Answer {
  const text = redactData(body, apiKey);
  return {
    status,
    headers: redactData(headers, apiKey),
    json: anyText ? undefined : parseJson(text),
    text,
  };
}

function withoutKey(error: ServiceError, apiKey: string): ServiceError {
  const { message, hint, details } = error;
  return error.retold(redact({ message, hint, details }, apiKey));
}
