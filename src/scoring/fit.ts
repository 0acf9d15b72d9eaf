/*
 * Scores how well companies fit, by the traits that won deals have more often than lost ones. All counts
 * come from the rows of the run; no request is sent.
 */

/** A value of a company in one of the compared fields. */
export interface Feature {
  readonly field: string;
  readonly value: string;
}

/** A company and the outcome of its deal; undefined while the deal is open. */
export interface LabeledRow {
  readonly features: readonly Feature[];
  readonly outcome: DealOutcome | undefined;
}

/** The outcome of a deal. */
export type DealOutcome = 'won' | 'lost';

/** A trait and its weight: above 0 it speaks for a company, below 0 against it. */
export interface FeatureWeight extends Feature {
  /** The logarithm of how many times more likely the trait is among won deals than among lost ones. */
  readonly weight: number;
}

/** The score of a company. */
export interface Fit {
  /** The sum of the weights: above 0, the company resembles won deals more than lost ones. */
  readonly score: number;
  /** The weights that make up the score, the strongest first. */
  readonly reasons: readonly FeatureWeight[];
}

/** The result of learning from all cases. */
export interface FitModel {
  readonly won: number;
  readonly lost: number;
  /** One score for each case, in order; a decided case is scored by what was learned from others. */
  readonly fits: readonly Fit[];
  /**
   * The share of all pairs of a won and a lost deal in which the won deal has the higher score, from 0 to
   * 1; 0.5 is no better than chance. Undefined if there is no pair.
   */
  readonly hits: number | undefined;
}

/**
 * The number of values that count per field. Otherwise, a field with many values, such as technologies,
 * would outweigh all others.
 */
const MAX_WEIGHTS_PER_FIELD = 5;

/**
 * The number of parts for cross-validation: a decided case is scored by the other parts, because its own
 * outcome would confirm itself.
 */
const FOLDS = 5;

/**
 * Added to each count, so that a trait seen once or never has little weight instead of a very large
 * one.
 */
const SMOOTHING = 1;

type Counts = Record<DealOutcome, number>;

/** The weights of traits by their keys. */
type Weights = ReadonlyMap<string, number>;

/** Learns the weights of traits from the decided cases, and scores all cases by them. */
export function learnFit(cases: readonly LabeledRow[]): FitModel {
  const all: Counts = { won: 0, lost: 0 };
  const parts = cases.map(({ outcome }) => {
    if (outcome === undefined) return undefined;
    all[outcome] += 1;
    return all[outcome] % FOLDS;
  });
  const whole = learnWeights(cases);
  const others = Array.from({ length: FOLDS }, (_one, part) =>
    learnWeights(cases.filter((_case, index) => parts[index] !== part)),
  );
  const fits = cases.map(({ features }, index) =>
    toFit(features, others[parts[index] ?? FOLDS] ?? whole),
  );
  return { ...all, fits, hits: measureAccuracy(cases, fits) };
}

/** The lowest score of 100 for each grade. At 80, a company is four times as likely among won cases. */
const GRADES = [
  ['A', 80],
  ['B', 51],
  ['C', 20],
] as const;

/** Converts a score to the chance to win, in percent, if as many cases are won as lost; 50 if nothing is known. */
export function toScore100(score: number): number {
  return Math.round(100 / (1 + Math.exp(-score)));
}

/** Grades a score by {@link toScore100}: A and B are more like won cases, C and D like lost cases. */
export function toGrade(of100: number): 'A' | 'B' | 'C' | 'D' {
  return GRADES.find(([, from]) => of100 >= from)?.[0] ?? 'D';
}

function learnWeights(cases: readonly LabeledRow[]): Weights {
  const all: Counts = { won: 0, lost: 0 };
  const seen = new Map<string, Counts>();
  for (const { features, outcome } of cases) {
    if (outcome === undefined) continue;
    all[outcome] += 1;
    for (const key of new Set(features.map(toFeatureKey))) {
      const counts = seen.get(key) ?? { won: 0, lost: 0 };
      counts[outcome] += 1;
      seen.set(key, counts);
    }
  }
  return new Map(
    [...seen].map(([key, { won, lost }]) => [
      key,
      Math.log(toShare(won, all.won) / toShare(lost, all.lost)),
    ]),
  );
}

function toFit(features: readonly Feature[], weights: Weights): Fit {
  const distinct = new Map(features.map((feature) => [toFeatureKey(feature), feature]));
  const reasons = listStrongest(
    [...distinct].flatMap(([key, feature]) => {
      const weight = weights.get(key) ?? 0;
      return weight === 0 ? [] : [{ ...feature, weight }];
    }),
  );
  return { score: reasons.reduce((sum, { weight }) => sum + weight, 0), reasons };
}

function toShare(part: number, whole: number): number {
  return (part + SMOOTHING) / (whole + 2 * SMOOTHING);
}

function listStrongest(weights: readonly FeatureWeight[]): FeatureWeight[] {
  const taken = new Map<string, number>();
  return [...weights]
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .filter(({ field }) => {
      const rank = (taken.get(field) ?? 0) + 1;
      taken.set(field, rank);
      return rank <= MAX_WEIGHTS_PER_FIELD;
    });
}

function measureAccuracy(cases: readonly LabeledRow[], fits: readonly Fit[]): number | undefined {
  const byScore = new Map<number, Counts>();
  for (const [index, { outcome }] of cases.entries()) {
    if (outcome === undefined) continue;
    // Scores that differ by less look the same to users.
    const score = Math.round(10 * (fits[index]?.score ?? 0));
    const counts = byScore.get(score) ?? { won: 0, lost: 0 };
    counts[outcome] += 1;
    byScore.set(score, counts);
  }
  let hits = 0;
  let won = 0;
  let lostBelow = 0;
  for (const [, here] of [...byScore].sort(([a], [b]) => a - b)) {
    // A tie counts as half a hit.
    hits += here.won * (lostBelow + here.lost / 2);
    won += here.won;
    lostBelow += here.lost;
  }
  return won * lostBelow === 0 ? undefined : hits / (won * lostBelow);
}

function toFeatureKey({ field, value }: Feature): string {
  return JSON.stringify([field, value.toLowerCase()]);
}
