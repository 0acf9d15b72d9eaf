/*
 * Which companies fit: what those that became customers have more often than those that were lost.
 * Nothing is asked of the service; all is counted in the rows at hand.
 */

/** A value of a company in one of the fields that are compared. */
export interface Trait {
  readonly field: string;
  readonly value: string;
}

/** A company, and what became of it; undefined while that is open. */
export interface Case {
  readonly traits: readonly Trait[];
  readonly outcome: Outcome | undefined;
}

export type Outcome = 'won' | 'lost';

/** How much a trait speaks for a company: above 0 for, below 0 against. */
export interface Weight extends Trait {
  /** The logarithm of how many times likelier the trait is among those won. */
  readonly weight: number;
}

export interface Fit {
  /** The sum of the weights: above 0 the company is more like those won than like those lost. */
  readonly score: number;
  /** What the score is made of, the strongest first. */
  readonly reasons: readonly Weight[];
}

/** What was learned from all cases. */
export interface Learned {
  readonly won: number;
  readonly lost: number;
  /** One for each case, in order; of a case that is decided by what others of them teach. */
  readonly fits: readonly Fit[];
  /**
   * In how many of all pairs of one won and one lost the one that was won has the higher score, from 0 to
   * 1: 0.5 is no better than chance. Undefined where there is no pair.
   */
  readonly hits: number | undefined;
}

/** Of a field with many values, such as technologies, only so many count, or they would drown all others. */
const STRONGEST_OF_A_FIELD = 5;

/** A case that is decided is scored by the other parts, because it would be proof of itself. */
const PARTS = 5;

/** Added to each count, so that what was seen once or never says little instead of everything. */
const SMOOTHING = 1;

type Counts = Record<Outcome, number>;

/** Weights by the keys of their traits. */
type Weights = ReadonlyMap<string, number>;

/** Learns from the cases that are decided what speaks for a company, and scores all of them by it. */
export function learnFit(cases: readonly Case[]): Learned {
  const all: Counts = { won: 0, lost: 0 };
  const parts = cases.map(({ outcome }) => {
    if (outcome === undefined) return undefined;
    all[outcome] += 1;
    return all[outcome] % PARTS;
  });
  const whole = weightsOf(cases);
  const others = Array.from({ length: PARTS }, (_one, part) =>
    weightsOf(cases.filter((_case, index) => parts[index] !== part)),
  );
  const fits = cases.map(({ traits }, index) =>
    fitOf(traits, others[parts[index] ?? PARTS] ?? whole),
  );
  return { ...all, fits, hits: hitsOf(cases, fits) };
}

function weightsOf(cases: readonly Case[]): Weights {
  const all: Counts = { won: 0, lost: 0 };
  const seen = new Map<string, Counts>();
  for (const { traits, outcome } of cases) {
    if (outcome === undefined) continue;
    all[outcome] += 1;
    for (const key of new Set(traits.map(keyOf))) {
      const counts = seen.get(key) ?? { won: 0, lost: 0 };
      counts[outcome] += 1;
      seen.set(key, counts);
    }
  }
  return new Map(
    [...seen].map(([key, { won, lost }]) => [
      key,
      Math.log(shareOf(won, all.won) / shareOf(lost, all.lost)),
    ]),
  );
}

function fitOf(traits: readonly Trait[], weights: Weights): Fit {
  const distinct = new Map(traits.map((trait) => [keyOf(trait), trait]));
  const reasons = strongest(
    [...distinct].flatMap(([key, trait]) => {
      const weight = weights.get(key) ?? 0;
      return weight === 0 ? [] : [{ ...trait, weight }];
    }),
  );
  return { score: reasons.reduce((sum, { weight }) => sum + weight, 0), reasons };
}

function shareOf(part: number, whole: number): number {
  return (part + SMOOTHING) / (whole + 2 * SMOOTHING);
}

function strongest(weights: readonly Weight[]): Weight[] {
  const taken = new Map<string, number>();
  return [...weights]
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .filter(({ field }) => {
      const rank = (taken.get(field) ?? 0) + 1;
      taken.set(field, rank);
      return rank <= STRONGEST_OF_A_FIELD;
    });
}

function hitsOf(cases: readonly Case[], fits: readonly Fit[]): number | undefined {
  const byScore = new Map<number, Counts>();
  for (const [index, { outcome }] of cases.entries()) {
    if (outcome === undefined) continue;
    // What differs by less is the same to whoever reads it.
    const score = Math.round(10 * (fits[index]?.score ?? 0));
    const counts = byScore.get(score) ?? { won: 0, lost: 0 };
    counts[outcome] += 1;
    byScore.set(score, counts);
  }
  let hits = 0;
  let won = 0;
  let lostBelow = 0;
  for (const [, here] of [...byScore].sort(([a], [b]) => a - b)) {
    // A tie is half a hit.
    hits += here.won * (lostBelow + here.lost / 2);
    won += here.won;
    lostBelow += here.lost;
  }
  return won * lostBelow === 0 ? undefined : hits / (won * lostBelow);
}

function keyOf({ field, value }: Trait): string {
  return JSON.stringify([field, value.toLowerCase()]);
}
