import { cut } from './cut';
import {
  ConnectionError,
  InvalidResponseError,
  UnknownOutcomeError,
  type ServiceError,
} from './errors';
import { MAX_RESPONSE_BYTES } from './exchange/answer-memory';
import type { NoAnswer, Unanswered } from './exchange/outcome';
import { MAX_STREAM_BYTES } from './exchange/stream';

/** What is repeated of a path, which may hold whatever the user gave. */
const MAX_PATH_LENGTH = 200;

/** The answer was given up. */
export function tooLarge(): ServiceError {
  return new InvalidResponseError({
    code: 'response_too_large',
    message: `The answer is larger than ${String(MAX_RESPONSE_BYTES / 1024 / 1024)} MB and was not read`,
    hint: 'Ask for fewer rows at once.',
  });
}

/** For a body of which some has been read already. */
export function brokenOff(cause: Exclude<Unanswered, { kind: 'cancelled' }>): ServiceError {
  const reason =
    cause.kind === 'no-answer'
      ? cause.reason
      : `it is larger than ${String(MAX_STREAM_BYTES / 1024 / 1024)} MB`;
  return new ConnectionError({
    code: 'broken_off',
    message: `The answer broke off in the middle: ${reason}`,
    hint: 'What had arrived was thrown away. Run again: companies that were sent already are free for 30 days.',
  });
}

/** The request was not sent, or no whole answer came, or none that can be read. */
export function noAnswer({ maybeProcessed, reason, cure, isUnreadable }: NoAnswer): ServiceError {
  const hint =
    cure ??
    'Check the Base URL in the credential and the network between n8n and the service, then run again.';
  if (isUnreadable === true) {
    const message = `The answer cannot be read: ${reason}`;
    return new InvalidResponseError({ code: 'unknown_encoding', message, hint });
  }
  return new ConnectionError({
    code: maybeProcessed ? 'no_answer' : 'connection_failed',
    message: maybeProcessed
      ? `The service did not answer: ${reason}`
      : `The service could not be reached: ${reason}`,
    hint,
  });
}

/** How the advice begins for what may have been done already. */
export const NOT_SENT_AGAIN = 'It was not sent again, so that nothing happens twice.';

/**
 * For what must not be done twice and may have been done.
 *
 * @param cause why nobody knows.
 * @param call what was sent, where that is known.
 */
export function outcomeUnknown(
  { message, status }: { readonly message: string; readonly status?: number | undefined },
  call?: { readonly method: string; readonly path: string },
): UnknownOutcomeError {
  const sent = call === undefined ? '' : ` (${call.method} ${cut(call.path, MAX_PATH_LENGTH)})`;
  return new UnknownOutcomeError({
    code: 'unknown_outcome',
    message: `The service may or may not have done this${sent}: ${message}`,
    hint: `${NOT_SENT_AGAIN} Check in the service whether it was done before you run this again.`,
    ...(status === undefined ? {} : { status }),
  });
}
