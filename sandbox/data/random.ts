/** A small seeded random generator. The same seed makes the same world on every machine. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `min` to `max` (inclusive). */
  int(min: number, max: number): number;
  /** Returns a random element of a non-empty array. */
  pick<T>(values: readonly T[]): T;
  /** Returns true with the given probability. */
  chance(probability: number): boolean;
  /** Returns 1, 2, 3 … up to `max`. Each further step is taken with the given probability. */
  steps(probability: number, max: number): number;
}

/**
 * Creates a generator (mulberry32).
 *
 * @param seed any integer; the same seed makes the same sequence
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick: <T>(values: readonly T[]): T => values[int(0, values.length - 1)] as T,
    chance: (probability) => next() < probability,
    steps: (probability, max) => {
      let count = 1;
      while (count < max && next() < probability) count += 1;
      return count;
    },
  };
}
