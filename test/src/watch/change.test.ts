/** Tests which losses the trigger reports as a service fault instead of as changes. */
import fc from 'fast-check';

import { assertPlausible } from '../../../src/watch/change';

const check = (before: number, removed: number, percent: number) => () => {
  assertPlausible({ before, removed, what: 'members' }, percent);
};

it('refuses a loss only if it has ten or more entities and exceeds the allowed share', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), fc.nat(100), (before, missing, percent) => {
      const removed = Math.min(before, missing);
      const tooMuch = removed >= 10 && removed * 100 > percent * before;
      if (tooMuch) expect(check(before, removed, percent)).toThrow(/would be removed/);
      else expect(check(before, removed, percent)).not.toThrow();
    }),
  );
});

it('names the figures and the limit in the error', () => {
  expect(check(12_345, 12_000, 50)).toThrow(
    '12,000 of 12,345 members would be removed since the last poll (97.2%); more than 50% at once is treated as a service fault',
  );
});
