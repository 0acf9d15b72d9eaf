/** Which companies a watch by firmographics is about, and of which it cannot be known yet. */
import { isBlank, matches } from '../../../src/watch/users';

const POLAND = { country: ['Poland'], industry: [], employee_range: [] };

it.each<[string, Record<string, unknown>, boolean, boolean]>([
  ['matches in any case', { country: 'poland' }, true, false],
  ['does not match', { country: 'Japan' }, false, false],
  ['is not known', {}, false, true],
  ['is empty', { country: '' }, false, true],
  ['is nothing', { country: null }, false, true],
])('what is filtered by %s', (_what, company, isMatch, isUnknown) => {
  expect(matches(company, POLAND)).toBe(isMatch);
  expect(isBlank(company, POLAND)).toBe(isUnknown);
});

it('what is not filtered by need not be known', () => {
  const none = { country: [], industry: [], employee_range: [] };
  expect(matches({}, none)).toBe(true);
  expect(isBlank({}, none)).toBe(false);
});
