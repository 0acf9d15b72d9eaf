/** Requests per minute that the API spec allows a key. */
export const LIMIT = 600;

export const MINUTE_MS = 60_000;

/** Counts the moments from `from` (inclusive) to `to` (exclusive). */
export function requestsIn(moments: readonly number[], from: number, to: number): number {
  return moments.filter((moment) => moment >= from && moment < to).length;
}
