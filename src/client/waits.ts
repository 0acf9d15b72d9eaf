import { RateLimitError, type ServiceError } from './errors';

/** The latest time that a JavaScript date can hold, in Unix milliseconds. */
const LAST_MOMENT = 8.64e15;

/** The parts of an error response that requires a wait. */
type Said = Pick<ServiceError, 'code'> & Partial<Pick<ServiceError, 'status' | 'details'>>;

/** Creates the error for a rate limit wait that is longer than the run allows. */
export function limitUsedUp(waitMs: number, said: Said, daily = false): RateLimitError {
  const until = daily
    ? 'The daily limit of this API key is used up until'
    : 'The limit of this API key is used up until';
  return tooLongAWait(waitMs, said, until);
}

/** Creates the error for a credential whose daily limit is used up. */
export function dayUsedUp(waitMs: number, requestsPerDay: number): RateLimitError {
  const resetsAt = momentIn(waitMs);
  return new RateLimitError({
    code: 'daily_limit_reached',
    message: `The daily limit of ${String(requestsPerDay)} requests set in the credential is used up until ${resetsAt}`,
    hint: 'Run again after that time, or raise Requests per Day in the credential if the key allows more.',
    details: { resets_at: resetsAt },
  });
}

/** Creates the error for a failing service that requires a longer wait than the run allows. */
export function askedToWait(waitMs: number, said: ServiceError): RateLimitError {
  return tooLongAWait(waitMs, said, `${said.message}; it asks not to be asked again before`);
}

function tooLongAWait(waitMs: number, { code, status, details }: Said, until: string) {
  const resetsAt = momentIn(waitMs);
  return new RateLimitError({
    code,
    message: `${until} ${resetsAt}, which is longer than this run may wait`,
    hint: 'Run again after that time. How long a run may wait is set by Max Rate Limit Wait.',
    ...(status === undefined ? {} : { status }),
    details: { ...details, resets_at: resetsAt },
  });
}

function momentIn(waitMs: number): string {
  return new Date(Math.min(Math.ceil(Date.now() + waitMs), LAST_MOMENT)).toISOString();
}
