import fc from 'fast-check';

import { isDeeperThan, answerNotTooDeep, parseJson } from '../../../src/client/json';

/** How deep lists and objects stand in one another, counted in the text. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const character of text.replace(/"(?:[^"\\]|\\.)*"/g, '')) {
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

it('counts levels as they stand in the text', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8, depthSize: 'max' }), (text) => {
      const value: unknown = JSON.parse(text);
      const depth = depthOf(text);
      expect(isDeeperThan(value, depth)).toBe(false);
      if (depth > 0) expect(isDeeperThan(value, depth - 1)).toBe(true);
    }),
  );
});

it.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
  ['both', '[{"a":', '}]'],
])('%s nested 200,000 deep are refused, and nothing overflows', (_how, open, close) => {
  const text = `${open.repeat(200_000)}1${close.repeat(200_000)}`;
  expect(() => parseJson(text)).toThrow('nested more than 200 levels');
  expect(() => answerNotTooDeep({ rows: [JSON.parse(text)] })).toThrow(
    'nested more than 200 levels',
  );
});

it.each(['', ' \n'])('of an empty text gives nothing (%p)', (text) => {
  expect(parseJson(text)).toBeUndefined();
});

it('brackets in texts and in names are no levels', () => {
  const value = { ['['.repeat(1_000)]: '{'.repeat(1_000) };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});
