/** How much memory something takes, roughly, whatever it is. */
import fc from 'fast-check';

import { sizeOf } from '../../../src/n8n/deeds';

const sizeWithin = (value: unknown) => sizeOf(value, Infinity);

it.each([null, undefined, 7, true])('%p takes as much as any plain value', (value) => {
  expect(sizeWithin(value)).toBe(sizeWithin(0));
  expect(sizeWithin({ name: value })).toBe(sizeWithin({ name: 0 }));
});

it('text takes two bytes a character', () => {
  expect(sizeWithin('x'.repeat(1_000)) - sizeWithin('')).toBe(2_000);
});

it('whatever holds more takes more; what is in it twice, or holds itself, counts once', () => {
  fc.assert(
    fc.property(fc.anything({ withMap: true, withSet: true }), (value) => {
      expect(sizeWithin([value])).toBeGreaterThan(sizeWithin(value));
      const holder: Record<string, unknown> = { value };
      const once = sizeWithin(holder);
      holder['self'] = holder;
      expect(sizeWithin(holder)).toBeLessThan(once + sizeWithin('self') + sizeWithin(0) + 1);
    }),
  );
});

it('counting ends beyond the limit', () => {
  const many = Array.from({ length: 100_000 }, (_one, index) => ({ index }));
  expect(sizeOf(many, 1_000)).toBeLessThan(3_000_000);
  expect(sizeOf(many, 1_000)).toBeGreaterThan(1_000);
});
