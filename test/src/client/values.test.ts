import fc from 'fast-check';

import { truncateText, isDeeperThan } from '../../../src/client/values';

/** Returns how deeply lists and objects are nested in the text. */
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

it('finds the same nesting depth in a value as in its JSON text', () => {
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
  ['', ''],
  ['four', 'four'],
  ['fives', 'five…'],
  // A character outside the 16-bit range is never split.
  ['abc🙂d', 'abc…'],
  ['ab🙂cd', 'ab🙂…'],
])('truncates %j after four characters as %j', (text, short) => {
  expect(truncateText(text, 4)).toBe(short);
});
