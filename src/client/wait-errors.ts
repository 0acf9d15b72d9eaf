import { RateLimitError, type ServiceError } from './errors';
import { formatMoment } from './format-moment';

/** The latest time that a JavaScript date can hold, in Unix milliseconds. */
const MAX_DATE_MS = 8.64e15;

/** The parts of an error response that requires a wait. */
type RejectionFacts = Pick<ServiceError, 'code'> &
  Partial<Pick<ServiceError, 'status' | 'details'>>;

/** A wait, and the time zone in which messages say when it ends. */
interface RequestedWait {
  readonly waitMs: number;
  readonly timeZone: string | undefined;
}

/** Creates the error for a rate limit wait that is longer than the run allows. */
export function createRateLimitError(
  wait: RequestedWait,
  rejection: RejectionFacts,
  daily = false,
): RateLimitError {
  const resets = daily
    ? 'The daily limit of this API key is used up and resets'
    : 'The rate limit of this API key is used up and resets';
  return createWaitError(wait, rejection, resets);
}

/** Creates the error for a failing service that requires a longer wait than the run allows. */
export function createServerWaitError(
  wait: RequestedWait,
  rejection: ServiceError,
): RateLimitError {
  return createWaitError(wait, rejection, `${rejection.message}; the service asked to retry`);
}

function createWaitError(
  wait: RequestedWait,
  { code, status, details }: RejectionFacts,
  resets: string,
) {
  const { time, resets_at } = describeEnd(wait);
  return new RateLimitError({
    code,
    message: `${resets} ${time}, longer than this run may wait`,
    hint: 'Run again after that time, or raise Max Rate Limit Wait under Options.',
    status,
    details: { ...details, resets_at },
  });
}

/** Returns when a wait ends, in words and in ISO 8601. */
function describeEnd({ waitMs, timeZone }: RequestedWait): {
  readonly time: string;
  readonly resets_at: string;
} {
  const at = Math.min(Math.ceil(Date.now() + waitMs), MAX_DATE_MS);
  return { time: formatMoment(at, timeZone), resets_at: new Date(at).toISOString() };
}
