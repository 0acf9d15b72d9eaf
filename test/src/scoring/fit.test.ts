/** Tests which features speak for a company, and which against it. */
import fc from 'fast-check';

import { toGrade, toScore100, learnFit } from '../../../src/scoring/fit';
import type { LabeledRow, DealOutcome, Feature } from '../../../src/scoring/fit';

const trait = (value: string, field = 'technology'): Feature => ({ field, value });

function cases(times: number, outcome: DealOutcome | undefined, ...values: string[]): LabeledRow[] {
  const features = values.map((one) => trait(one));
  return Array.from({ length: times }, () => ({ outcome, features }));
}

it('weights each feature by how much likelier it is among won companies', () => {
  const { fits, won, lost } = learnFit([
    ...cases(8, 'won', 'HubSpot'),
    ...cases(2, 'won', 'Drupal'),
    ...cases(1, 'lost', 'HubSpot'),
    ...cases(9, 'lost', 'Drupal'),
    ...cases(1, undefined, 'hubspot', 'Drupal'),
  ]);
  const open = fits.at(-1);

  expect([won, lost]).toEqual([10, 10]);
  // Add-one smoothing: HubSpot has 9/12 of the won and
  // 2/12 of the lost cases, Drupal 3/12 and 10/12.
  expect(open?.reasons).toEqual([
    { ...trait('hubspot'), weight: Math.log(9 / 2) },
    { ...trait('Drupal'), weight: Math.log(3 / 10) },
  ]);
  expect(open?.score).toBeCloseTo(Math.log(9 / 2) + Math.log(3 / 10));
});

it("does not use a company's own outcome to score it", () => {
  const { fits, hits } = learnFit([
    ...cases(1, 'won', 'only here'),
    ...cases(1, 'lost', 'only there'),
    ...cases(1, undefined, 'only here', 'nowhere else'),
  ]);

  const used = fits.map(({ reasons }) => reasons.map(({ value }) => value));
  expect(used).toEqual([[], [], ['only here']]);
  expect(hits).toBe(0.5);
});

it('counts only the five strongest features of each field', () => {
  const many = Array.from({ length: 20 }, (_one, at) => `tech ${String(at)}`);
  const inCountry = (country: string, rows: LabeledRow[]): LabeledRow[] => {
    const more = trait(country, 'country');
    return rows.map((row) => ({ ...row, features: [...row.features, more] }));
  };
  const { fits } = learnFit([
    ...inCountry('Chile', cases(6, 'won', ...many)),
    ...inCountry('Peru', cases(6, 'lost', 'other')),
    ...inCountry('Peru', cases(1, undefined, ...many)),
  ]);

  const fields = fits.at(-1)?.reasons.map(({ field }) => field);
  expect(fields?.sort()).toEqual(['country', ...Array<string>(5).fill('technology')]);
});

it('returns how often a won company scores higher, or undefined unless some won and some lost', () => {
  const clear = [...cases(5, 'won', 'HubSpot'), ...cases(5, 'lost', 'Drupal')];

  expect(learnFit(clear).hits).toBe(1);
  expect(learnFit(cases(3, 'won', 'HubSpot')).hits).toBeUndefined();
  expect(learnFit([]).hits).toBeUndefined();
});

const anyFeature = fc.record({
  field: fc.constantFrom('industry', 'technology'),
  value: fc.constantFrom('a', 'A', 'b', 'c', 'd', 'e', 'f'),
});
const anyCase: fc.Arbitrary<LabeledRow> = fc.record({
  outcome: fc.constantFrom<Array<DealOutcome | undefined>>('won', 'lost', undefined),
  features: fc.array(anyFeature, { maxLength: 8 }),
});

it('scores open rows the same in any order, and negates all scores when won and lost are swapped', () => {
  const turned: Readonly<Record<DealOutcome, DealOutcome>> = { won: 'lost', lost: 'won' };
  fc.assert(
    fc.property(fc.array(anyCase, { maxLength: 30 }), (all) => {
      const { fits, hits } = learnFit(all);
      const scores = fits.map(({ score }) => score);
      const backwards = learnFit(all.toReversed());
      const exchanged = learnFit(
        all.map((one) => ({ ...one, outcome: one.outcome && turned[one.outcome] })),
      );

      expect(fits).toHaveLength(all.length);
      scores.forEach((score, at) => {
        expect(Number.isFinite(score)).toBe(true);
        if (all[at]?.outcome === undefined) {
          expect(backwards.fits.at(-1 - at)?.score).toBeCloseTo(score);
        }
        expect(exchanged.fits[at]?.score).toBeCloseTo(-score);
      });
      expect(hits ?? 0).toBeGreaterThanOrEqual(0);
      expect(hits ?? 1).toBeLessThanOrEqual(1);
    }),
  );
});

it.each([
  [Math.log(4), 80, 'A'],
  [1.3, 79, 'B'],
  [0.03, 51, 'B'],
  [0, 50, 'C'],
  [-Math.log(4), 20, 'C'],
  [-1.5, 18, 'D'],
  [1000, 100, 'A'],
  [-1000, 0, 'D'],
])('converts a score of %d to %d of 100, grade %s', (score, of100, grade) => {
  expect(toScore100(score)).toBe(of100);
  expect(toGrade(of100)).toBe(grade);
});
