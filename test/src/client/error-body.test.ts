import fc from 'fast-check';

import { readErrorBody } from '../../../src/client/error-body';
import { CODELESS_REFUSALS, codedRefusals, textOf } from './support/refusals';

const read = (body: unknown) => readErrorBody(JSON.stringify(body));

describe('shapes the interface shows', () => {
  it.each([
    ['credit_exhausted', { requested: 100, shortfall: 60 }],
    ['operational_rate_limit_exceeded', { retry_after_seconds: 7 }],
    ['company_not_found', { identifier: 'acme.com' }],
  ])('%s, by itself and under detail', (error, fields) => {
    const body = { error, message: 'The why.', ...fields };
    const expected = { code: error, message: 'The why.', fields, format: 'json' };
    expect(read(body)).toEqual(expected);
    expect(read({ detail: body })).toEqual(expected);
  });
});

describe('shapes the interface leaves open', () => {
  it.each<[string, unknown, string | undefined, string | undefined]>([
    ['detail is a sentence', { detail: 'Not Found here' }, undefined, 'Not Found here'],
    ['detail is a code', { detail: 'job_not_found' }, 'job_not_found', undefined],
    ['error is a sentence', { error: 'It broke, sorry' }, undefined, 'It broke, sorry'],
    ['error is an object with a code', { error: { code: 'x_y', message: 'Why' } }, 'x_y', 'Why'],
    ['code beside message', { code: 'x_y', message: 'Why' }, 'x_y', 'Why'],
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
    ['a code of its own', { error_code: 'E17', message: 'Why' }, 'E17', 'Why'],
    ['a type', { type: 'https://service.test/out-of-stock', title: 'Why' }, 'out-of-stock', 'Why'],
    ['a type that says nothing', { type: 'about:blank', title: 'Why' }, undefined, 'Why'],
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

  it('reads the title of an HTML page', () => {
    const page =
      '<!doctype html><html><head><title>502 Bad Gateway</title><style>b{}</style></head></html>';
    expect(readErrorBody(page)).toEqual({
      code: undefined,
      message: '502 Bad Gateway',
      fields: {},
      format: 'page',
    });
  });

  it.each(['', '  \n '])('says nothing when the body is empty (%p)', (text) => {
    const nothing = { code: undefined, message: undefined, fields: {}, format: 'text' };
    expect(readErrorBody(text)).toEqual(nothing);
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
