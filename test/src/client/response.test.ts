import { parseJson } from '../../../src/client/response';

it('refuses JSON that is nested 200,000 levels deep, without a stack overflow', () => {
  const rows = `${'['.repeat(200_000)}1${']'.repeat(200_000)}`;
  expect(() => parseJson(`{"rows":${rows}}`)).toThrow('nested more than 200 levels');
});

it('refuses an object with more than 50,000 fields, and accepts one with exactly 50,000', () => {
  const fieldsOf = (count: number) =>
    `{"data":{${Array.from({ length: count }, (_, index) => `"k${String(index)}":[]`).join()}}}`;
  expect(parseJson(fieldsOf(50_000))).toHaveProperty('data.k49999');
  expect(() => parseJson(fieldsOf(50_001))).toThrow('an object with more than 50,000 fields');
});

describe('objects and lists', () => {
  const lists = (count: number, each: string) =>
    `[${Array.from({ length: count }, () => each).join()}]`;

  it('are refused if there are more than 400,000 tiny ones', () => {
    expect(parseJson(lists(399_999, '[]'))).toHaveLength(399_999);
    expect(() => parseJson(lists(400_000, '[]'))).toThrow('more than 400,000 objects and lists');
  });

  it('are accepted in larger numbers if they are as large as rows', () => {
    const row = `{"domain":"${'a'.repeat(40)}.com"}`;
    expect(parseJson(lists(450_000, row))).toHaveLength(450_000);
  });
});

it('refuses more than 2,000,000 tiny values, but returns a text that is not JSON', () => {
  const numbers = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
  expect(parseJson(numbers(2_000_000))).toHaveLength(2_000_000);
  expect(() => parseJson(numbers(2_000_002))).toThrow('more than 2,000,000 values');

  const csv = '1,'.repeat(2_000_002);
  expect(parseJson(csv, () => csv)).toBe(csv);
});

it.each(['', ' \n'])('returns undefined for an empty text (%p)', (text) => {
  expect(parseJson(text)).toBeUndefined();
});
