import { assertUsable, parseJson } from '../../../src/client/response';

it('what is nested 200,000 deep is refused, and nothing overflows', () => {
  const rows: unknown = JSON.parse(`${'['.repeat(200_000)}1${']'.repeat(200_000)}`);
  expect(() => assertUsable({ rows })).toThrow('nested more than 200 levels');
});

it('refuses an object with more than 100,000 fields, and takes one of as many', () => {
  const fieldsOf = (count: number) =>
    `{"data":{${Array.from({ length: count }, (_, index) => `"k${String(index)}":[]`).join()}}}`;
  expect(parseJson(fieldsOf(100_000))).toHaveProperty('data.k99999');
  expect(() => parseJson(fieldsOf(100_001))).toThrow('an object with more than 100,000 fields');
});

it.each(['', ' \n'])('of an empty text gives nothing (%p)', (text) => {
  expect(parseJson(text)).toBeUndefined();
});
