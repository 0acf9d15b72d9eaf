/** Tests how a JSON response is parsed: exact IDs, and bounds that keep n8n responsive. */
import { parseJson } from '../../../src/client/response';

it.each([
  ['9007199254740993', '"9007199254740993"'],
  ['-12345678901234567890', '"-12345678901234567890"'],
  ['9007199254740991', '9007199254740991'],
  ['1.5e300', '1.5e300'],
  ['"id 9007199254740993 of \\"9007199254740993,\\""', undefined],
])('keeps every digit of the ID %s', (given, kept = given) => {
  // An inexact number elsewhere in the response, so that all of it is parsed with care.
  const text = `{"rows":[{"id":${given},"other":90071992547409930}]}`;
  expect(JSON.stringify(parseJson(text))).toBe(
    JSON.stringify(JSON.parse(`{"rows":[{"id":${kept},"other":"90071992547409930"}]}`)),
  );
});

const nested = (open: string, close: string, depth: number, inside = '1') =>
  open.repeat(depth) + inside + close.repeat(depth);

it.each([
  ['lists', nested('[', ']', 200_000)],
  ['a field named __proto__', nested('{"__proto__":', '}', 100_000)],
  ['201 levels', nested('[{"a":', '}]', 100, '[1]')],
])('refuses deep nesting without a stack overflow: %s', (_what, text) => {
  expect(() => parseJson(text)).toThrow('The response is nested more than 200 levels deep');
});

it('accepts 200 levels, whatever brackets the strings and names contain', () => {
  const text = nested('{"[{":', '}', 200, `"${'[{'.repeat(1_000)}"`);
  expect(JSON.stringify(parseJson(text))).toBe(text);
});

it('refuses millions of tiny objects quickly, but returns a text that is not JSON', () => {
  const start = process.cpuUsage();
  for (const piece of ['{},', '[],', '[']) {
    const text = `[${piece.repeat(4_000_000)}`;
    expect(() => parseJson(text)).toThrow('too many objects and lists');
  }
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
  const csv = '"[",'.repeat(1_000_001);
  expect(parseJson(csv, () => csv)).toBe(csv);
});

it.each([
  ['<html></html>', 'The response is an HTML page, not JSON', false],
  ['{"rows":[', 'The response is not complete JSON', false],
  [`{"rows":["${'x'.repeat(5_000_000)}`, 'The response is not complete JSON', true],
])('refuses what is not JSON, and marks what is too large to be requested again', (...row) => {
  const [text, message, isFinal] = row;
  const refused: unknown = expect.objectContaining({ message, isFinal });
  expect(() => parseJson(text)).toThrow(refused as Error);
});
