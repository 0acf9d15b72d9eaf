import fc from 'fast-check';

import { readErrorBody } from '../../../src/client/error-body';
import {
  createWaitError,
  createErrorFromResponse,
  isApiErrorCode,
  nameRedirectHost,
} from '../../../src/client/error-mapping';
import * as errors from '../../../src/client/errors';
import { formatMoment, truncateText } from '../../../src/values/text';

const { BadRequestError, CreditExhaustedError, NotFoundError, ServiceError } = errors;

const read = (body: unknown) => readErrorBody(JSON.stringify(body));
const errorOf = (status: number, body: unknown = {}) => createErrorFromResponse(status, read(body));

/** Each row of the error table in the API spec: status, code, error class, text in the hint. */
const TABLE: ReadonlyArray<[number, string | undefined, typeof ServiceError, RegExp]> = [
  [400, 'batch_too_large', errors.BatchTooLargeError, /fewer domains/],
  [400, 'invalid_tech_key', BadRequestError, /lowercase letters, digits and hyphens/],
  [400, 'invalid_domain', BadRequestError, /example\.com/],
  [403, 'user_credential_required', errors.ForbiddenError, /User API/],
  [404, 'company_not_found', NotFoundError, /domain or slug/],
  [404, 'partner_not_found', NotFoundError, /partner/],
  [404, 'partnership_not_found', NotFoundError, /track both/],
  [404, 'technology_not_found', NotFoundError, /Search technologies/],
  [404, 'vendor_not_found', NotFoundError, /exact domain/],
  [404, 'job_not_found', NotFoundError, /key that started/],
  [404, undefined, NotFoundError, /parameters/],
  [409, undefined, errors.ConflictError, /before you run this again/],
  [422, undefined, errors.UnprocessableError, /parameters/],
  [429, 'operational_rate_limit_exceeded', errors.RateLimitError, /later/],
];

describe('an error of the API spec', () => {
  it.each(TABLE)(
    '%i %s has its class, hint and fields, in both shapes and those of other frameworks',
    (status, code, type, hint) => {
      const fields = { identifier: 'acme.com' };
      const body = { error: code, message: 'The why.', ...fields };
      const nested = { code: code ?? status, message: 'The why.', ...fields };
      for (const shape of [
        body,
        { detail: body },
        // Express and Google: one object; JSON:API: a list, with a title or a detail.
        { error: nested },
        { errors: [nested] },
        { errors: [{ code, title: 'The why.', ...fields }] },
        { errors: [{ title: code, detail: 'The why.', ...fields }] },
      ]) {
        const error = errorOf(status, shape);
        expect(error.constructor).toBe(type);
        expect(error).toMatchObject({ code: code ?? `http_${status}`, status, details: fields });
        expect(error.hint).toMatch(hint);
        expect(error.message).toMatch(/^The .*[^.] \(the service says: The why\)$|^This /);
      }
      // The code is more specific than the status, so it has its own message.
      const plain = errorOf(status).message;
      expect(errorOf(status, { error: code }).message === plain).toBe(!code || status === 429);
      expect(isApiErrorCode(code ?? 'http_404')).toBe(code !== undefined);
    },
  );

  it('402 shows its figures, and does not guess them', () => {
    const figures = { requested: 100, shortfall: 60 };
    const message =
      'Not enough credits: the request needs 100 credits, the balance covers 40, and the rest of the run can need more (Estimate Cost says how much)';
    const body = { error: 'credit_exhausted', message: 'Top up.', ...figures };
    const nested = { error: { code: 'credit_exhausted', ...figures } };
    for (const shape of [body, nested]) {
      expect(errorOf(402, shape)).toMatchObject({ message, status: 402, ...figures });
      expect(errorOf(400, shape)).toMatchObject({ message, status: 400, ...figures });
    }
    for (const odd of [{}, { requested: 5 }, { requested: '5', shortfall: 1 }]) {
      const error = errorOf(402, odd);
      expect(error).toBeInstanceOf(CreditExhaustedError);
      expect(error.message).toBe('Not enough credits');
    }
  });
});

it.each<[number, typeof ServiceError]>([
  [400, BadRequestError],
  [404, NotFoundError],
  [304, ServiceError],
  [599, errors.ServerError],
])('status %i decides if the code is unknown', (status, type) => {
  for (const code of ['brand_new', 'constructor', '__proto__']) {
    expect(errorOf(status, JSON.parse(`{"error":"${code}"}`)).constructor).toBe(type);
  }
});

const STATE = /^Check the current state/;

it.each<[number, string, string, RegExp, RegExp]>([
  [423, '{"error":"list_locked"}', 'UnlistedRefusalError', /status 423 .*list_locked/, STATE],
  [410, '{"error":"gone","message":"Removed."}', 'UnlistedRefusalError', /: Removed\)$/, STATE],
  [451, '{"message":"No."}', 'ServiceError', /unexpected status 451/, /Base URL/],
  [503, '{"detail":"busy"}', 'ServerError', /says: busy/, /^The node retried\. Run again later\.$/],
  ...[401, 403, 405, 413, 414].map((status): [number, string, string, RegExp, RegExp] => [
    status,
    '<html></html>',
    status === 413 ? 'ServiceError' : 'ForbiddenError',
    /something between n8n and the service/,
    /firewall/,
  ]),
])('status %i with %s becomes a %s', (status, body, name, message, hint) => {
  const error = createErrorFromResponse(status, readErrorBody(body));
  expect([error.name, error.message, error.hint]).toEqual([
    name,
    expect.stringMatching(message),
    expect.stringMatching(hint),
  ]);
});

it.each([
  ['https://user:pw@login.example.com:8443/x?token=1', ' to login.example.com:8443,'],
  ['/login?next=x', ','],
  [undefined, ','],
])('of the redirect to %s names the host only', (location, words) => {
  const { message } = nameRedirectHost(errorOf(302), location);
  expect(message).toContain(`The service returned a redirect${words} which the node`);
});

describe('an error body', () => {
  const PAGE = '<!doctype html><html><head><title>502 Bad Gateway</title><style>b{}</style></head>';

  it.each<[unknown, object]>([
    [{ detail: 'Not Found here' }, { code: undefined, message: 'Not Found here' }],
    [{ detail: 'job_not_found' }, { code: 'job_not_found', message: undefined }],
    [
      { detail: [{ loc: ['body', 'domains', 0], msg: 'too long' }, { msg: 'odd' }] },
      { code: undefined, message: 'body.domains.0: too long; odd' },
    ],
    [{ error: 'It broke' }, { code: undefined, message: 'It broke' }],
    [
      { error: 'a_b', message: 5, n: 1 },
      { code: 'a_b', fields: { n: 1 } },
    ],
    [
      { error: 5, message: {}, detail: true },
      { code: undefined, message: undefined },
    ],
    [{ error: { retry_after_seconds: 7 } }, { fields: { retry_after_seconds: 7 } }],
    [{ errors: [] }, { code: undefined, message: undefined }],
    [['one'], { format: 'json', fields: {} }],
    [null, { code: undefined, message: undefined }],
  ])('is read for a code and a message: %j', (body, expected) => {
    expect(read(body)).toMatchObject(expected);
  });

  it.each([
    ['a page', PAGE, '502 Bad Gateway', 'page'],
    ['nothing', ' \n', undefined, 'text'],
    ['truncated JSON', '{"error": "comp', '{"error": "comp', 'text'],
    ['control characters', 'a\u0000b\nc\u001b[31m', 'a b c [31m', 'text'],
  ])('that is no JSON is a message: %s', (_what, text, message, format) => {
    expect(readErrorBody(text)).toEqual({ code: undefined, message, fields: {}, format });
  });

  const long = fc.string({ minLength: 400, maxLength: 5_000 });
  const names = 'error errors code detail message loc msg title __proto__'.split(' ');
  const known = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 4 }));
  const anyBody = fc.oneof(
    fc.json({ maxDepth: 8 }),
    known.map((value) => JSON.stringify(value)),
    fc.oneof(long, fc.string()).map((text) => `<p>${text}</p>`),
    long.map((text) => JSON.stringify({ error: text, detail: text, seen: text })),
    fc.nat(60_000).map((depth) => `${'{"error":'.repeat(depth)}1${'}'.repeat(depth)}`),
  );

  it('becomes a short error with a code, a message and a hint, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), anyBody, (status, text) => {
        const error = createErrorFromResponse(status, readErrorBody(text));
        expect(error.status).toBe(status);
        expect([error.code, error.message, error.hint]).not.toContain('');
        expect(error.code.length).toBeLessThanOrEqual(80);
        expect(error.message.length).toBeLessThan(700);
        expect(JSON.stringify(error.details).length).toBeLessThan(12_000);
      }),
    );
  });
});

describe('the error texts of a call', () => {
  const texts = { message: 'There is no such list', hint: 'Check its id.' };

  it.each([
    [404, '{"error":"list_not_found","message":"No."}', /list \(the service says: No\)$/, true],
    [409, '', /^There is no such list$/, false],
    // The texts of a documented code go first. A web page is not the service.
    [404, '{"error":"company_not_found"}', /this company/, true],
    [404, '<html></html>', /web page responded with 404.*Base URL/, false],
  ])('make the error after %i with %j', (status, body, message, isResourceMissing) => {
    const error = createErrorFromResponse(status, readErrorBody(body), { [status]: texts });
    expect(error.message).toMatch(message);
    expect(error.hint === texts.hint).toBe(error.message.includes(texts.message));
    const name = status === 404 ? 'NotFoundError' : 'ConflictError';
    expect(error).toMatchObject({ name, ...(status === 404 && { isResourceMissing }) });
  });
});

it.each([
  ['', ''],
  ['four', 'four'],
  ['fives', 'five…'],
  // A character outside the 16-bit range is never split.
  ['abc🙂d', 'abc…'],
  ['ab🙂cd', 'ab🙂…'],
  ['a\u0000\nb', 'a b'],
])('truncates %j after four characters as %j', (text, short) => {
  expect(truncateText(text, 4)).toBe(short);
});

it.each([
  ['UTC', 'Jan 31 at 13:05 (UTC)'],
  ['Europe/Berlin', 'Jan 31 at 14:05 (Berlin)'],
  ['America/New_York', 'Jan 31 at 08:05 (New York)'],
  ['Pacific/Auckland', 'Feb 1 at 02:05 (Auckland)'],
])('formats a moment in %s, never too early', (timeZone, text) => {
  expect(formatMoment(Date.parse('2026-01-31T13:04:00.001Z'), timeZone)).toBe(text);
});

it('names when a wait that is too long ends, in the time zone of the workflow', () => {
  jest.useFakeTimers({ now: Date.parse('2026-01-31T12:00:00.400Z') });
  const wait = { waitMs: 12 * 3_600_000, timeZone: 'Asia/Kolkata' };
  const { message, details } = createWaitError(wait, { code: 'x', status: 429 }, true);
  jest.useRealTimers();
  expect(message).toMatch(/^The daily limit .* resets on Feb 1 at 05:31 \(Kolkata\), later/);
  expect(details).toEqual({ resets_at: '2026-02-01T00:00:00.400Z' });
});

type Meaning = readonly [
  affectsAnyRequest: boolean,
  endsRunAfter: number | undefined,
  mayPass: boolean,
  surelyNotDone: boolean,
];

const classes = Object.entries<unknown>({ ...errors }).filter(
  (entry): entry is [string, typeof ServiceError] =>
    typeof entry[1] === 'function' &&
    (entry[1] === ServiceError || entry[1].prototype instanceof ServiceError),
);

const OTHER: Meaning = [false, undefined, false, true];
const MEANINGS: Readonly<Record<string, Meaning>> = {
  AuthenticationError: [true, 1, false, true],
  CancelledError: [false, undefined, false, false],
  ConflictError: [true, undefined, false, true],
  ConnectionError: [false, 10, true, false],
  CreditExhaustedError: [false, 1, false, true],
  ForbiddenError: [true, 5, false, true],
  InvalidResponseError: [false, undefined, true, true],
  NotAttemptedError: [true, undefined, true, true],
  NotFoundError: [true, undefined, false, true],
  RateLimitError: [true, 1, true, true],
  RedirectRefusedError: [true, 3, false, true],
  UnlistedRefusalError: [true, undefined, false, true],
  ServerError: [false, 10, true, true],
  UnknownOutcomeError: [true, undefined, false, false],
};

const meaningOf = (error: errors.ServiceError): Meaning => [
  error.affectsAnyRequest,
  error.failuresToTrip,
  error.isTransient,
  error.hadNoEffect,
];

const said = { code: 'x', message: 'm', hint: '-' };

it.each(classes)(
  '%s has this meaning for other requests; a class with another one than OTHER needs a row in MEANINGS',
  (name, Kind) => {
    const error = new Kind({ ...said, status: 404 });
    expect(meaningOf(error)).toEqual(MEANINGS[name] ?? OTHER);
    const later = error.copyWith({ earlierAttemptUnconfirmed: true });
    expect(later.hadNoEffect).toBe(name === 'CreditExhaustedError');
  },
);

it.each<[string, typeof ServiceError, Meaning]>([
  ['connection_failed', errors.ConnectionError, [true, 3, true, true]],
  ['user_credential_required', errors.ForbiddenError, [true, 1, false, true]],
])('the code %s has its own meaning for other requests', (code, Kind, meaning) => {
  expect(meaningOf(new Kind({ ...said, code, status: 403 }))).toEqual(meaning);
});

it.each([{}, { status: 200 }, { status: 408 }, { status: 500 }])(
  'does not rule out an effect with %j, unless the limiter refused the request',
  (more: { status?: number }) => {
    expect(new ServiceError({ ...said, ...more }).hadNoEffect).toBe(false);
    // The limiter refuses before anything is sent.
    const limited = new errors.RateLimitError({ ...said, ...more });
    expect(limited.hadNoEffect).toBe(more.status === undefined);
  },
);

it('shortens the path in the error of an unknown outcome', () => {
  const call = { method: 'POST', path: `/v1/${'x'.repeat(8_000)}` };
  expect(errors.createUnknownOutcomeError({ message: 'm' }, call).message.length).toBeLessThan(300);
});
