import fc from 'fast-check';

import { Fingerprints, FingerprintSet } from '../../../../src/run/listing/fingerprints';

function printsOf(texts: ReadonlyArray<string | undefined>): Fingerprints {
  const prints = new Fingerprints(texts.length);
  for (const [index, text] of texts.entries()) prints.set(index, text);
  return prints;
}

it('a set holds what was added and nothing else, as a set of texts does', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\0', '\0\0', 'a', 'aa'),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 200 }), fc.array(text), (added, others) => {
      const prints = printsOf([...added, ...others]);
      const set = new FingerprintSet();
      const texts = new Set(added);
      for (const index of added.keys()) set.add(prints, index);

      expect(set.size).toBe(texts.size);
      for (const [index, other] of [...added, ...others].entries()) {
        expect(set.has(prints, index)).toBe(texts.has(other));
      }
      set.clear();
      expect(set.size).toBe(0);
      for (const index of added.keys()) expect(set.has(prints, index)).toBe(false);
    }),
  );
});

it.each([
  ['numbered names', (index: number) => `slug:company-${String(index)}`],
  ['numbers', (index: number) => `id:${String(index)}`],
  ['domains', (index: number) => `primary_domain:${index.toString(36)}.example.com`],
])('300,000 %s are all told apart', (_what, textOf) => {
  const texts = Array.from({ length: 300_000 }, (_unused, index) => textOf(index));
  const prints = printsOf(texts);
  const set = new FingerprintSet();
  for (const index of texts.keys()) set.add(prints, index);

  expect(set.size).toBe(300_000);
});

it('what has no text is told from what has any', () => {
  const prints = printsOf(['a', undefined, '']);
  expect([0, 1, 2].map((index) => prints.isSet(index))).toEqual([true, false, true]);
});
