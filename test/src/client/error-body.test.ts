import fc from 'fast-check';

import { isAboutWhatWasAsked, readErrorBody } from '../../../src/client/error-body';
import { CODELESS_REFUSALS, codedRefusals, textOf } from './support/refusals';

const read = (body: unknown) => readErrorBody(JSON.stringify(body));

describe('shapes the interface shows', () => {
  it.each([
    ['credit_exhausted', { requested: 100, shortfall: 60 }],
    ['operational_rate_limit_exceeded', { retry_after_seconds: 7 }],
    ['company_not_found', { identifier: 'acme.com' }],
  ])('%s, by itself and under detail', (error, fields) => {
    const body = { error, message: 'The why.', ...fields };
    expect(read(body)).toEqual({ code: error, message: 'The why.', fields });
    expect(read({ detail: body })).toEqual({ code: error, message: 'The why.', fields });
  });
});

describe('shapes the interface leaves open', () => {
  it.each<[string, unknown, string | undefined, string | undefined]>([
    ['detail is a sentence', { detail: 'Not Found here' }, undefined, 'Not Found here'],
    ['detail is a code', { detail: 'job_not_found' }, 'job_not_found', undefined],
    ['error is a sentence', { error: 'It broke, sorry' }, undefined, 'It broke, sorry'],
    ['error is an object with a code', { error: { code: 'x_y', message: 'Why' } }, 'x_y', 'Why'],
    ['code beside message', { code: 'x_y', message: 'Why' }, 'x_y', 'Why'],
    ['msg', { msg: 'Why' }, undefined, 'Why'],
    ['problem details', { title: 'Bad', status: 400, detail: 'The why' }, undefined, 'The why'],
    ['title alone', { title: 'Bad Request' }, undefined, 'Bad Request'],
    [
      'a list of problems',
      { detail: [{ loc: ['body', 'domains', 0], msg: 'too long' }, { msg: 'odd' }] },
      undefined,
      'body.domains.0: too long; odd',
    ],
    ['errors as texts', { errors: ['one', 'two'] }, undefined, 'one; two'],
    [
      'errors by field',
      { errors: { a: ['is long', 'is bad'] } },
      undefined,
      'a: is long; a: is bad',
    ],
    ['a code of its own', { errorCode: 'E17', message: 'Why' }, 'E17', 'Why'],
    ['a type', { type: 'https://service.test/out-of-stock', title: 'Why' }, 'out-of-stock', 'Why'],
    ['a type that says nothing', { type: 'about:blank', title: 'Why' }, undefined, 'Why'],
    ['a message in a message', { message: { text: 'x', message: 'Why' } }, undefined, 'Why'],
    ['a bare text', 'Nope, not today', undefined, 'Nope, not today'],
    ['a bare list', ['one'], undefined, 'one'],
    ['null', null, undefined, undefined],
    ['a number', 7, undefined, undefined],
    ['an empty object', {}, undefined, undefined],
    ['empty texts', { error: '', message: ' ' }, undefined, undefined],
    ['odd types', { error: 5, message: {}, detail: true }, undefined, undefined],
  ])('%s', (_name, body, code, message) => {
    expect(read(body)).toMatchObject({ code, message });
  });

  it('an HTML page is read as its text, without scripts and styles', () => {
    const page =
      '<!doctype html><html><head><style>b{color:red}</style><script>steal()</script></head>' +
      '<body><h1>502 Bad Gateway</h1>\n<p>nginx</p></body></html>';
    expect(readErrorBody(page)).toEqual({
      code: undefined,
      message: '502 Bad Gateway nginx',
      fields: {},
      isPage: true,
    });
  });

  it.each(['', '  \n '])('an empty body says nothing (%p)', (text) => {
    expect(readErrorBody(text)).toEqual({ code: undefined, message: undefined, fields: {} });
  });

  it('text that is cut off in the middle of its JSON is shown as it is', () => {
    expect(readErrorBody('{"error": "comp').message).toBe('{"error": "comp');
  });
});

describe("a code of the interface's is found wherever it stands", () => {
  describe.each(['batch_too_large', 'company_not_found'])('%s', (code) => {
    it.each(codedRefusals(code))('$name', (refusal) => {
      expect(readErrorBody(textOf(refusal)).code).toBe(code);
    });
  });

  it.each(CODELESS_REFUSALS)('and not made up: $name', (refusal) => {
    expect(['too_many_items', 'too_long', undefined]).toContain(
      readErrorBody(textOf(refusal)).code,
    );
  });

  it.each([
    [{ error: 'x', identifier: 'company_not_found' }, 'x'],
    [{ error: 'x', input: { q: 'batch too large' } }, 'x'],
    [{ message: 'We say batch_too_large when there are more than 100.' }, undefined],
  ])('what was sent, or a word in a sentence, is none: %j', (body, code) => {
    expect(read(body).code).toBe(code);
  });
});

describe('whatever arrives', () => {
  const anyBody = fc.oneof(
    fc.string({ maxLength: 2_000 }),
    fc.json({ maxDepth: 8 }),
    fc
      .dictionary(
        fc.constantFrom(...'error errors detail message code msg title __proto__'.split(' ')),
        fc.jsonValue({ maxDepth: 4 }),
      )
      .map((value) => JSON.stringify(value)),
    fc.string({ minLength: 400, maxLength: 5_000 }).map((text) => `<p>${text}</p>`),
    fc.string({ minLength: 400, maxLength: 5_000 }).map((text) => JSON.stringify({ detail: text })),
  );

  it('it never throws, and the message stays short', () => {
    fc.assert(
      fc.property(anyBody, (text) => {
        const { code, message, fields } = readErrorBody(text);
        expect(['string', 'undefined']).toContain(typeof code);
        expect((message ?? '').length).toBeLessThanOrEqual(501);
        expect(typeof fields).toBe('object');
      }),
    );
  });

  it('nesting without end is not followed', () => {
    const depth = 50_000;
    const nested = `${'{"error":'.repeat(depth)}"x_y"${'}'.repeat(depth)}`;
    expect(readErrorBody(nested)).toMatchObject({ code: undefined, message: undefined });
  });

  it('a message of a megabyte is cut', () => {
    const { message } = read({ message: 'x'.repeat(1_000_000) });
    expect(message).toHaveLength(501);
    expect(message?.endsWith('…')).toBe(true);
  });
});

describe('pages that were written to take long', () => {
  // What is found of a page is bounded; that each part is looked at once is plain from the code.
  it.each([
    ['beginnings of tags', '<'.repeat(20_000)],
    ['scripts without end', '<script>'.repeat(2_500)],
    ['styles and scripts that end each other', '<style></script>'.repeat(1_250)],
    ['ends of tags', '>'.repeat(20_000)],
    ['spaces', ' '.repeat(20_000)],
    ['a tag without end', `<${'a'.repeat(20_000)}`],
  ])('%s: a short message, whatever it is', (_what, page) => {
    expect((readErrorBody(`x ${page} y`).message ?? '').length).toBeLessThanOrEqual(501);
  });

  it('a script is left out up to its own end', () => {
    const page =
      '<p>One<SCRIPT type="x">a < b </style> "<p>no</p>"</SCRIPT>two<style>x</style>three';
    expect(readErrorBody(page).message).toBe('One two three');
  });
});

it('keeps small fields and drops what would fill every row of a failed batch', () => {
  const { code, fields } = readErrorBody(
    JSON.stringify({
      code: 'x'.repeat(5000),
      requested: 100,
      trace: 'y'.repeat(5000),
      input: { deep: ['z'.repeat(5000)] },
    }),
  );
  expect(code?.length).toBeLessThanOrEqual(80);
  expect(fields).toEqual({ requested: 100 });
});

describe('whether a 404 speaks of what was asked for', () => {
  it.each([
    { error: 'not_found', message: 'acme.com is not tracked' },
    { message: 'Nothing is known of acme.com' },
    { detail: 'Company does not exist' },
    { error: 'unknown_company' },
    { error: { code: 'company.missing' } },
    { errors: [{ code: 'tech_key_not_found' }] },
    { title: 'Unknown vendor', status: 404 },
    'No such company',
  ])('the service speaks of what was asked for: %j', (body) => {
    expect(isAboutWhatWasAsked(JSON.stringify(body))).toBe(true);
  });

  it.each([
    {},
    [],
    null,
    404,
    { detail: 'Not Found' },
    { detail: 'Not found.' },
    { error: 'not_found' },
    { error: 'Not Found', message: 'The requested resource was not found', code: 404 },
    { error: 'not_found', message: 'There is no such endpoint.' },
    { message: 'no Route matched with those values' },
    {
      statusCode: 404,
      error: 'Not Found',
      message: 'Route GET:/x/v1/companies/acme.com not found',
    },
    { message: 'Cannot GET /v1/companies/acme.com' },
    { timestamp: '2026-01-01', status: 404, error: 'Not Found', path: '/v1/companies/acme.com' },
  ])('it may be a wrong address: %j', (body) => {
    expect(isAboutWhatWasAsked(JSON.stringify(body))).toBe(false);
  });

  it.each(['', '<html>No such company</html>', 'acme.com is not tracked', '{"error": "comp'])(
    'what is no JSON is not the answer of the service: %j',
    (text) => {
      expect(isAboutWhatWasAsked(text)).toBe(false);
    },
  );

  it('whatever arrives, it gives an answer', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json({ maxDepth: 8 })), (text) => {
        expect(typeof isAboutWhatWasAsked(text)).toBe('boolean');
      }),
    );
  });
});
