/** Tests which companies pass a filter by firmographics, and which cannot be decided yet. */
import {
  hasUnknownField,
  createKeepFilter,
  matchesFirmographics,
} from '../../../src/service/firmographics';

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

describe('createKeepFilter', () => {
  const row = (firmographics: Record<string, unknown>) => ({ name: 'Acme', firmographics });
  const german = { industry: 'Software', country: 'Germany', employee_range: '51-200' };

  it.each([
    [{ country: ['germany'], industry: ['Retail', 'Software'] }, german, true],
    [{ country: ['Austria'], industry: ['Software'] }, german, false],
    [{ country: ['Germany'] }, {}, false],
    [{ employeesMin: 51 }, german, true],
    // The range 51-200 overlaps the wanted range.
    [{ employeesMin: 200 }, german, true],
    [{ employeesMin: 201 }, german, false],
    [{ employeesMax: 51 }, german, true],
    [{ employeesMax: 50 }, german, false],
    [{ employeesMin: 5000 }, { employee_range: '1,001+' }, true],
    [{ employeesMax: 1000 }, { employee_range: '1,001+' }, false],
    [{ employeesMax: 1000 }, { employee_range: '<10' }, true],
    [{ employeesMin: 10 }, { employee_range: '<10' }, true],
    [{ employeesMin: 0 }, { employee_range: 'unknown' }, false],
    [{ employeesMin: 0 }, {}, false],
    [{ employeesMin: 51, country: ['Poland'] }, german, false],
  ])('with the conditions %j, keeps a row with %j: %s', (conditions, firmographics, isKept) => {
    expect(createKeepFilter(conditions)?.(row(firmographics))).toBe(isKept);
  });

  it('drops rows without firmographics', () => {
    expect(createKeepFilter({ country: ['Germany'] })?.({ name: 'Acme' })).toBe(false);
  });

  it('returns no filter when there are no conditions', () => {
    expect(createKeepFilter({})).toBeUndefined();
    expect(createKeepFilter({ country: [], industry: [] })).toBeUndefined();
  });
});
