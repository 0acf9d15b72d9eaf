import fc from 'fast-check';

import { InputError } from '../../../../src/api/inputs';
import { numberOf } from '../../../../src/n8n/parameters/values';

const depthOf = (value: unknown) => numberOf(value, 'Depth', { min: 1, max: 2, whole: true });

describe('whole numbers', () => {
  it.each([1, 2, '1', ' 2 '])('from 1 to 2 include %j', (value) => {
    expect(depthOf(value)).toBe(Number(value));
  });

  it.each([0, 3, 1.5, '', ' ', 'x', NaN, Infinity, null, undefined, true, [1], {}, '1e400'])(
    'from 1 to 2 do not include %j',
    (value) => {
      expect(() => depthOf(value)).toThrow(/"Depth" must be a whole number from 1 to 2, not /);
    },
  );

  it('come out of anything, or an error says what is wrong and what to do', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        try {
          expect([1, 2]).toContain(depthOf(value));
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as InputError).hint).toMatch(/\.$/);
        }
      }),
    );
  });
});
