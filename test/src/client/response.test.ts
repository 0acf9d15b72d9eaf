import fc from 'fast-check';

import { parseJson } from '../../../src/client/response';

it('keeps every digit of an integer that is too large for a JavaScript number', () => {
  const number = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
  fc.assert(
    fc.property(number, fc.boolean(), fc.string(), (value, negative, text) => {
      const digits = `${negative ? '-' : ''}${String(value)}`;
      const inside = JSON.stringify(`${text}${digits}\\" ${digits}`);
      const json = `{"id":${digits},"rows":[ ${digits},1.5e300,-12,9007199254740991,${inside}]}`;

      expect(parseJson(json)).toEqual({
        id: digits,
        rows: [digits, 1.5e300, -12, 9007199254740991, JSON.parse(inside)],
      });
    }),
  );
});

it('keeps the digits of an integer next to a string of 9 MB with escapes', () => {
  const text = 'a"\\b\n'.repeat(2_000_000);
  const json = JSON.stringify({ text, id: 0 }).replace('"id":0', '"id":9007199254740993');
  const parsed = parseJson(json) as { text: string; id: string };
  expect([parsed.id, parsed.text === text]).toEqual(['9007199254740993', true]);
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
