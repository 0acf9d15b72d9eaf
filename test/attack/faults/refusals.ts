/** Faults with a status of their own: refusals, throttling, servers in trouble, redirects. */
import { answer, first, page, refusal, some, type Fault } from './fault';
import type { Strike } from '../service/front';

const THROTTLED = 'operational_rate_limit_exceeded';

function throttled(headers: Record<string, string>, more: Record<string, unknown> = {}): Strike {
  return answer(429, { error: THROTTLED, message: 'Too many requests.', ...more }, headers);
}

function httpDate(inSeconds: number): string {
  return new Date(Date.now() + inSeconds * 1000).toUTCString();
}

/** A date has whole seconds, so that it may be up to a second nearer than it says. */
const untilDate: Strike = (blow) => {
  void throttled({ 'retry-after': httpDate(2) })(blow);
};

const credits = (more: Record<string, unknown> = { requested: 9, shortfall: 4 }) =>
  refusal(402, 'credit_exhausted', more);

const fifth = (number: number) => number === 2;

function redirect(status: number, location: (stranger: string) => string | undefined): Strike {
  return ({ reply, strangerUrl, asked }) => {
    const to = location(`${strangerUrl}${asked.path}`);
    reply(status, to === undefined ? {} : { location: to }, '');
  };
}

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

/** Words for a `Retry-After` that nobody can make sense of, or that means hours. */
const WAITS = ['86400', '-1', 'soon', '', '0', '1e99', '99999999999999999999', httpDate(-60)];

export const REFUSALS: readonly Fault[] = [
  ...CODES.map(([status, code]): Fault => ({
    name: `${String(status)} ${code}`,
    strike: refusal(status, code),
    hopeless: true,
  })),
  ...STATUSES.map((status): Fault => ({
    name: String(status),
    strike: answer(status, { message: 'Not now.' }),
    hopeless: true,
  })),
  { name: '401 once', strike: first(refusal(401, 'invalid_api_key')), same: true },
  { name: '404 page', strike: page(404, 'Not Found'), hopeless: true },
  { name: '402', strike: credits(), hopeless: true },
  { name: '402 once', strike: first(credits()), same: true },
  { name: '402 on the second request', strike: some(credits(), fifth), same: true },
  {
    name: '402 with figures that cannot be',
    strike: credits({ requested: -1, shortfall: '9e999' }),
    hopeless: true,
  },
  { name: '402 without figures', strike: credits({}), hopeless: true },
  { name: '500 page', strike: page(500, 'Internal Server Error'), hopeless: true },
  { name: '500 page once', strike: first(page(500, 'Internal Server Error')), same: true },
  { name: '502 page', strike: page(502, 'Bad Gateway'), hopeless: true },
  { name: '503', strike: page(503, 'Service Unavailable'), hopeless: true },
  {
    name: '503 once, Retry-After 1',
    strike: first(page(503, 'Busy', { 'retry-after': '1' })),
    same: true,
  },
  ...WAITS.map((wait): Fault => ({
    name: `503 Retry-After "${wait.endsWith('GMT') ? 'a date that is over' : wait}"`,
    kind: '503 Retry-After',
    strike: page(503, 'Busy', { 'retry-after': wait }),
    hopeless: true,
  })),
  { name: '429 once, header', strike: first(throttled({ 'retry-after': '1' })), same: true },
  { name: '429 once, body', strike: first(throttled({}, { retry_after_seconds: 1 })), same: true },
  { name: '429 once, date', strike: first(untilDate), same: true },
  { name: '429 once, no wait', strike: first(throttled({})), same: true },
  {
    name: '429 storm',
    strike: some(throttled({ 'retry-after': '0' }), (number) => number <= 20),
    same: true,
  },
  {
    name: '429 once, all headers',
    strike: first(
      throttled({
        'retry-after': '1',
        'x-ratelimit-limit': '600',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': 'never',
        'x-ratelimit-limit-day': '100000',
        'x-ratelimit-remaining-day': '0',
      }),
    ),
  },
  { name: '429 for hours', strike: throttled({ 'retry-after': '7200' }), hopeless: true },
  {
    name: '429 until the end of time',
    strike: throttled({ 'retry-after': '99999999999999' }),
    hopeless: true,
  },
  {
    name: '429 body that says hours',
    // An answer to HEAD has no body, and would say nothing of how long.
    strike: (blow) =>
      throttled(blow.asked.method === 'HEAD' ? { 'retry-after': '1000000000' } : {}, {
        retry_after_seconds: 1e9,
      })(blow),
    hopeless: true,
  },
  ...[300, 301, 302, 303, 307, 308].map((status): Fault => ({
    name: `${String(status)} to a stranger`,
    strike: redirect(status, (stranger) => stranger),
    hopeless: true,
  })),
  { name: '302 without an address', strike: redirect(302, () => undefined), hopeless: true },
  { name: '302 to nonsense', strike: redirect(302, () => 'http://%zz'), hopeless: true },
  { name: '304', strike: answer(304, ''), hopeless: true },
];
