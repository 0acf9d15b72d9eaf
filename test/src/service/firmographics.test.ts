/** Tests which companies pass a filter by firmographics, and which cannot be decided yet. */
import { hasUnknownField, matchesFirmographics } from '../../../src/service/firmographics';

const POLAND = { country: ['Poland'], industry: [], employee_range: [] };

it.each<[string, Record<string, unknown>, boolean, boolean]>([
  ['matches in any case', { country: 'poland' }, true, false],
  ['does not match', { country: 'Japan' }, false, false],
  ['is missing', {}, false, true],
  ['is empty', { country: '' }, false, true],
  ['is null', { country: null }, false, true],
])('classifies a company whose filtered field %s', (_what, company, isMatch, isUnknown) => {
  expect(matchesFirmographics(company, POLAND)).toBe(isMatch);
  expect(hasUnknownField(company, POLAND)).toBe(isUnknown);
});

it('matches without knowing fields that no condition uses', () => {
  const none = { country: [], industry: [], employee_range: [] };
  expect(matchesFirmographics({}, none)).toBe(true);
  expect(hasUnknownField({}, none)).toBe(false);
});
