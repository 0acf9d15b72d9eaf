/** End of the invented observations, in Unix seconds: 1 June 2025, 00:00 UTC. */
export const EPOCH = Date.UTC(2025, 5, 1) / 1000;

/** One day in seconds. */
export const DAY = 86_400;

/** Formats Unix seconds as the timestamps of the API spec: ISO 8601 in UTC. */
export function toTimestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
