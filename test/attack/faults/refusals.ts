/** Faults with an error status: refusals, throttling, overloaded servers, redirects. */
import { answer, faultsThat, first, forEach, page, refusal, some, type Fault } from './fault';
import type { Strike } from '../service/front';

export function throttled(
  headers: Record<string, string>,
  more: Record<string, unknown> = {},
): Strike {
  return answer(
    429,
    { error: 'operational_rate_limit_exceeded', message: 'Too many requests.', ...more },
    headers,
  );
}

const httpDate = (inSeconds: number) => new Date(Date.now() + inSeconds * 1000).toUTCString();

/** An HTTP date has whole seconds, so the wait can be up to 1 s shorter than 2 s. */
const untilDate: Strike = (blow) => throttled({ 'retry-after': httpDate(2) })(blow);

const untilHours: Strike = (blow) =>
  // A response to HEAD has no body, so only the header can state the wait.
  throttled(blow.asked.method === 'HEAD' ? { 'retry-after': '1000000000' } : {}, {
    retry_after_seconds: 1e9,
  })(blow);

const credits = (more: Record<string, unknown> = { requested: 9, shortfall: 4 }) =>
  refusal(402, 'credit_exhausted', more);

const toStranger =
  (status: number): Strike =>
  ({ reply, strangerUrl, asked }) => {
    reply(status, { location: `${strangerUrl}${asked.path}` }, '');
  };

const CODES: ReadonlyArray<readonly [number, string]> = [
  [400, 'batch_too_large'],
  [400, 'invalid_domain'],
  [400, 'invalid_request'],
  [400, 'invalid_tech_key'],
  [401, 'invalid_api_key'],
  [403, 'forbidden'],
  [403, 'user_credential_required'],
  [404, 'company_not_found'],
  [404, 'job_not_found'],
  [404, 'list_not_found'],
  [404, 'partner_not_found'],
  [404, 'partnership_not_found'],
  [404, 'technology_not_found'],
  [404, 'vendor_not_found'],
  [409, 'definition_version_conflict'],
  [422, 'invalid_definition'],
];

const STATUSES = [
  405, 406, 407, 408, 410, 413, 414, 415, 418, 423, 425, 431, 451, 501, 504, 511, 599,
];

/** Values of `Retry-After` that are unreadable or mean a wait of 0 s, a day or longer. */
const WAITS = ['86400', '-1', 'soon', '', '0', '1e99', '99999999999999999999', httpDate(-60)];

/** A response with all headers that a limit can have. */
const limited = throttled({
  'retry-after': '1',
  'x-ratelimit-limit': '600',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': 'never',
  'x-ratelimit-limit-day': '100000',
  'x-ratelimit-remaining-day': '0',
});

export const REFUSALS: readonly Fault[] = [
  ...faultsThat(['hopeless'], {
    '404 page': page(404, 'Not Found'),
    '402': credits(),
    '402 with figures that cannot be': credits({ requested: -1, shortfall: '9e999' }),
    '402 without figures': credits({}),
    '500 page': page(500, 'Internal Server Error'),
    '502 page': page(502, 'Bad Gateway'),
    '503': page(503, 'Service Unavailable'),
    '429 for hours': throttled({ 'retry-after': '7200' }),
    '429 until the end of time': throttled({ 'retry-after': '99999999999999' }),
    '429 body that says hours': untilHours,
    '302 without an address': answer(302, ''),
    '302 to nonsense': answer(302, '', { location: 'http://%zz' }),
    '304': answer(304, ''),
    ...forEach(CODES, ([status, code]) => [`${status} ${code}`, refusal(status, code)]),
    ...forEach(STATUSES, (status) => [`${status}`, answer(status, { message: 'Not now.' })]),
    ...forEach(WAITS, (wait) => [
      `503 Retry-After "${wait.endsWith('GMT') ? 'a date that is over' : wait}"`,
      page(503, 'Busy', { 'retry-after': wait }),
    ]),
    ...forEach([300, 301, 302, 303, 307, 308], (status) => [
      `${status} to a stranger`,
      toStranger(status),
    ]),
  }),
  ...faultsThat(['same'], {
    '401 once': first(refusal(401, 'invalid_api_key')),
    '402 once': first(credits()),
    '402 on the second request': some(credits(), (number) => number === 2),
    '500 page once': first(page(500, 'Internal Server Error')),
    '503 once, Retry-After 1': first(page(503, 'Busy', { 'retry-after': '1' })),
    '429 once, header': first(throttled({ 'retry-after': '1' })),
    '429 once, body': first(throttled({}, { retry_after_seconds: 1 })),
    '429 once, date': first(untilDate),
    '429 once, no wait': first(throttled({})),
    '429 storm': some(throttled({ 'retry-after': '0' }), (number) => number <= 20),
  }),
  ...faultsThat([], { '429 once, all headers': first(limited) }),
];
