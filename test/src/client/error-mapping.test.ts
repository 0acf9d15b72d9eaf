import fc from 'fast-check';

import type { ErrorBody } from '../../../src/client/error-body';
import {
  AuthenticationError,
  BadRequestError,
  BatchTooLargeError,
  ConflictError,
  CreditExhaustedError,
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ServiceError,
  UnprocessableError,
} from '../../../src/client/errors';
import { errorFromResponse } from '../../../src/client/error-mapping';

const body = (code?: string, message?: string, fields = {}): ErrorBody => {
  return { code, message, fields, format: 'json' };
};
const nothing = body();

/** Each row of the error table in the API spec: status, code, error class, text in the hint. */
const TABLE: ReadonlyArray<[number, string | undefined, typeof ServiceError, RegExp]> = [
  [400, 'batch_too_large', BatchTooLargeError, /Max Batch Size/],
  [400, 'invalid_tech_key', BadRequestError, /lowercase letters, digits and hyphens/],
  [400, 'invalid_domain', BadRequestError, /example\.com/],
  [402, 'credit_exhausted', CreditExhaustedError, /until you add credits/],
  [403, 'user_credential_required', ForbiddenError, /User API/],
  [404, 'company_not_found', NotFoundError, /domain or slug/],
  [404, 'partner_not_found', NotFoundError, /partner/],
  [404, 'partnership_not_found', NotFoundError, /track both/],
  [404, 'technology_not_found', NotFoundError, /Search technologies/],
  [404, 'vendor_not_found', NotFoundError, /exact domain/],
  [404, 'job_not_found', NotFoundError, /key that started/],
  [404, undefined, NotFoundError, /parameters/],
  [409, undefined, ConflictError, /before you run this again/],
  [422, undefined, UnprocessableError, /parameters/],
  [429, 'operational_rate_limit_exceeded', RateLimitError, /later/],
];

describe('errors in the API spec', () => {
  it.each(TABLE)('map %i %s to an error', (status, code, type, hint) => {
    const fields = { identifier: 'acme.com' };
    const error = errorFromResponse(status, body(code, undefined, fields));
    expect(error.constructor).toBe(type);
    expect(error).toMatchObject({ name: type.name, code: code ?? `http_${status}`, status });
    expect(error.hint).toMatch(hint);
    expect(error.details).toEqual(fields);
  });

  it('have a message for each code that differs from the message of its status', () => {
    const plain = TABLE.map(([status]) => errorFromResponse(status, nothing).message);
    for (const [status, code] of TABLE) {
      if (code === undefined || status === 402 || status === 429) continue;
      expect(plain).not.toContain(errorFromResponse(status, body(code)).message);
    }
  });
});

describe('codes and statuses outside the table', () => {
  it.each<[number, typeof ServiceError]>([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [418, ServiceError],
    [422, UnprocessableError],
    [429, RateLimitError],
    [500, ServerError],
    [502, ServerError],
    [503, ServerError],
    [599, ServerError],
  ])('maps status %i with an unknown code, or none, by the status', (status, type) => {
    for (const code of ['brand_new', 'constructor', 'toString', 'hasOwnProperty', '__proto__']) {
      const error = errorFromResponse(status, body(code));
      expect([error.constructor, error.code]).toEqual([type, code]);
    }
    const error = errorFromResponse(status, nothing);
    expect([error.constructor, error.code]).toEqual([type, `http_${status}`]);
  });

  it.each([
    ['batch_too_large', BadRequestError],
    ['company_not_found', NotFoundError],
    ['credit_exhausted', CreditExhaustedError],
  ])('maps the known code %s by the code, whatever the status', (code, type) => {
    expect(errorFromResponse(400, body(code))).toBeInstanceOf(type);
  });
});

describe('credits of a 402 response', () => {
  const figures = { requested: 100, shortfall: 60 };

  it('are shown in the message and the details of the error', () => {
    const error = errorFromResponse(402, body('credit_exhausted', 'Top up.', figures));
    expect(error).toMatchObject({ requested: 100, shortfall: 60, code: 'credit_exhausted' });
    expect(error.message).toMatch(/needs 100 credits, 60 more than you have/);
    expect(error.message).toMatch(/\(the service says: Top up\)$/);
    expect(error.hint).toMatch(/Retrying does not help/);
  });

  it.each([
    'This call needs 1000 credits and 60 are missing.',
    'Top up: 60 of 1,000 credits are missing',
  ])("omits the service's message if it repeats ours: %s", (message) => {
    const same = { requested: 1000, shortfall: 60 };
    const error = errorFromResponse(402, body('credit_exhausted', message, same));

    expect(error.message).toBe(
      'Not enough credits: the request needs 1000 credits, 60 more than you have',
    );
    expect(error.hint).not.toMatch(/\d/);
  });

  it("keeps the service's message if its figures differ", () => {
    const error = errorFromResponse(402, body('credit_exhausted', 'You have 40 of 1000.', figures));
    expect(error.message).toMatch(/the service says: You have 40 of 1000\)$/);
  });

  it('are read from numeric strings, too', () => {
    const fields = { requested: '5', shortfall: '0' };
    const error = errorFromResponse(402, body(undefined, undefined, fields));
    expect(error).toMatchObject({ requested: 5, shortfall: 0, code: 'credit_exhausted' });
  });

  it.each([
    {},
    { requested: 5 },
    { requested: -1, shortfall: 2 },
    { requested: 1.5, shortfall: 1 },
    { requested: '', shortfall: 'many' },
    { requested: null, shortfall: [] },
  ])('are not guessed from %j', (fields) => {
    const error = errorFromResponse(402, body(undefined, undefined, fields));
    expect(error).toBeInstanceOf(CreditExhaustedError);
    expect(error.message).not.toMatch(/\d/);
  });
});

it("adds the service's message to the mapped one", () => {
  expect(errorFromResponse(404, body('company_not_found', 'acme.com is new to us')).message).toBe(
    "The service doesn't track this company (the service says: acme.com is new to us)",
  );
});

it('maps every error response to an error with a code, a message, a hint and its status', () => {
  const statuses = fc.integer({ min: 300, max: 599 });
  const text = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
  const anyFields = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(statuses, text, text, anyFields, (status, code, message, fields) => {
      const error = errorFromResponse(status, body(code, message, fields));
      expect(error).toBeInstanceOf(ServiceError);
      expect(error.status).toBe(status);
      expect([error.code, error.message, error.hint]).not.toContain('');
    }),
  );
});

describe('error texts of a call', () => {
  const texts = { message: 'There is no such list', hint: 'Check its id.' };
  const forList = { errorTexts: { 404: texts } };

  it("are used with the service's code and message when the API spec states no such code", () => {
    const error = errorFromResponse(404, body('list_not_found', 'No list.'), forList);
    expect(error).toMatchObject({
      name: 'NotFoundError',
      code: 'list_not_found',
      message: 'There is no such list (the service says: No list)',
      hint: 'Check its id.',
    });
  });

  it.each([400, 403, 404, 409, 422, 500])('apply to status %i', (status) => {
    const { name, code } = errorFromResponse(status, nothing);
    const error = errorFromResponse(status, nothing, { errorTexts: { [status]: texts } });
    expect(error).toMatchObject({ ...texts, status, name, code });
  });

  it.each([403, 409, 422])('are not those of lists for status %i without own ones', (status) => {
    const { message, hint } = errorFromResponse(status, nothing);
    expect(`${message} ${hint}`).not.toMatch(/list|definition/i);
  });

  it.each([
    ['documented codes', 404, body('company_not_found'), /this company/],
    ['other statuses', 403, nothing, /no permission for this operation/],
  ])('do not replace the texts of %s', (_what, status, response, message) => {
    expect(errorFromResponse(status, response, forList).message).toMatch(message);
  });

  it('do not replace the advice to correct the Base URL when a web page responds', () => {
    const page = { ...body(undefined, 'Page not found'), format: 'page' } as const;
    expect(errorFromResponse(404, page, forList)).toMatchObject({
      message: expect.stringMatching(/web page responded with 404.*Base URL/),
      hint: expect.stringMatching(/Correct the Base URL/),
      isResourceMissing: false,
    });
  });
});
