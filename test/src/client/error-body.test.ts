import fc from 'fast-check';

import { readErrorBody } from '../../../src/client/error-body';
import { CODELESS_REFUSALS, codedRefusals, textOf } from './support/refusals';

const read = (body: unknown) => readErrorBody(JSON.stringify(body));

describe('error bodies in the API spec', () => {
  it.each([
    ['credit_exhausted', { requested: 100, shortfall: 60 }],
    ['operational_rate_limit_exceeded', { retry_after_seconds: 7 }],
    ['company_not_found', { identifier: 'acme.com' }],
  ])('are read with the code %s, at the top level and under detail', (error, fields) => {
    const body = { error, message: 'The why.', ...fields };
    const expected = { code: error, message: 'The why.', fields, format: 'json' };
    expect(read(body)).toEqual(expected);
    expect(read({ detail: body })).toEqual(expected);
  });
});

describe('error bodies that the API spec does not define', () => {
  it.each<[string, unknown, string | undefined, string | undefined]>([
    ['detail is a sentence', { detail: 'Not Found here' }, undefined, 'Not Found here'],
    ['detail is a code', { detail: 'job_not_found' }, 'job_not_found', undefined],
    ['error is a sentence', { error: 'It broke, sorry' }, undefined, 'It broke, sorry'],
    ['error is an object with a code', { error: { code: 'x_y', message: 'Why' } }, 'x_y', 'Why'],
    ['code next to message', { code: 'x_y', message: 'Why' }, 'x_y', 'Why'],
    ['problem details', { title: 'Bad', status: 400, detail: 'The why' }, undefined, 'The why'],
    ['only a title', { title: 'Bad Request' }, undefined, 'Bad Request'],
    ['a problem', { detail: [{ loc: ['a', 'b', 0], msg: 'long' }] }, undefined, 'a.b.0: long'],
    ['problems', { detail: [{ msg: 'too long' }, { msg: 'odd' }] }, undefined, 'too long; odd'],
    ['errors as texts', { errors: ['one', 'two'] }, undefined, 'one; two'],
    ['errors by field', { errors: { a: ['long', 'bad'] } }, undefined, 'a: long; a: bad'],
    ['a code in error_code', { error_code: 'E17', message: 'Why' }, 'E17', 'Why'],
    ['a type', { type: 'https://service.test/out-of-stock', title: 'Why' }, 'out-of-stock', 'Why'],
    ['the type about:blank', { type: 'about:blank', title: 'Why' }, undefined, 'Why'],
    ['a bare text', 'Nope, not today', undefined, 'Nope, not today'],
    ['a bare list', ['one'], undefined, 'one'],
    ['null', null, undefined, undefined],
    ['a number', 7, undefined, undefined],
    ['an empty object', {}, undefined, undefined],
    ['empty texts', { error: '', message: ' ' }, undefined, undefined],
    ['fields of unexpected types', { error: 5, message: {}, detail: true }, undefined, undefined],
  ])('are read for a code and a message, if any: %s', (_name, body, code, message) => {
    expect(read(body)).toMatchObject({ code, message });
  });

  const PAGE = '<!doctype html><html><head><title>502 Bad Gateway</title><style>b{}</style></head>';

  it.each([
    ['a page is read for its title', PAGE, '502 Bad Gateway', 'page'],
    ['an empty text has no message', '', undefined, 'text'],
    ['white space has no message', '  \n ', undefined, 'text'],
    ['truncated JSON is the message', '{"error": "comp', '{"error": "comp', 'text'],
  ])('can be something else than JSON: %s', (_what, text, message, format) => {
    expect(readErrorBody(text)).toEqual({ code: undefined, message, fields: {}, format });
  });
});

describe('a code of the API spec', () => {
  describe.each(['batch_too_large', 'company_not_found'])('%s', (code) => {
    it.each(codedRefusals(code))('is found in $name', (refusal) => {
      expect(readErrorBody(textOf(refusal)).code).toBe(code);
    });
  });

  it.each(CODELESS_REFUSALS)('is not found in $name', (refusal) => {
    const { code } = readErrorBody(textOf(refusal));
    expect(['too_many_items', 'too_long', undefined]).toContain(code);
  });

  it.each([
    [{ error: 'x', identifier: 'company_not_found' }, 'x'],
    [{ error: 'x', input: { q: 'batch too large' } }, 'x'],
    [{ message: 'We say batch_too_large when there are more than 100.' }, undefined],
  ])('is not taken from echoed input or from a sentence: %j', (body, code) => {
    expect(read(body).code).toBe(code);
  });
});

describe('any error body', () => {
  const names = 'error errors detail message code msg title __proto__'.split(' ');
  const known = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 4 }));
  const long = fc.string({ minLength: 400, maxLength: 5_000 });
  const anyBody = fc.oneof(
    fc.string({ maxLength: 2_000 }),
    fc.json({ maxDepth: 8 }),
    known.map((value) => JSON.stringify(value)),
    long.map((text) => `<p>${text}</p>`),
    long.map((text) => JSON.stringify({ detail: text })),
  );

  it('is read without throwing, into a message of up to 501 characters', () => {
    fc.assert(
      fc.property(anyBody, (text) => {
        const { code, message, fields } = readErrorBody(text);
        expect(['string', 'undefined']).toContain(typeof code);
        expect((message ?? '').length).toBeLessThanOrEqual(501);
        expect(typeof fields).toBe('object');
      }),
    );
  });

  it('has no code and no message when it is nested 50,000 levels deep', () => {
    const depth = 50_000;
    const nested = `${'{"error":'.repeat(depth)}"x_y"${'}'.repeat(depth)}`;
    expect(readErrorBody(nested)).toMatchObject({ code: undefined, message: undefined });
  });
});

it('keeps small fields, truncates a long code, and drops long and nested fields', () => {
  const long = 'x'.repeat(5000);
  const body = { code: long, requested: 100, trace: long, input: { deep: [long] } };
  const { code, fields } = read(body);
  expect(code?.length).toBeLessThanOrEqual(80);
  expect(fields).toEqual({ requested: 100 });
});
