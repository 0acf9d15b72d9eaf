/** Requests a minute that the interface allows a key. */
export const LIMIT = 600;

export const MINUTE_MS = 60_000;

/** How many of the moments lie between two, the second excluded. */
export function requestsIn(moments: readonly number[], from: number, to: number): number {
  return moments.filter((moment) => moment >= from && moment < to).length;
}
