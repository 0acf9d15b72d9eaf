/** The day the invented observations end, in Unix seconds: 1 June 2025, 00:00 UTC. */
export const EPOCH = Date.UTC(2025, 5, 1) / 1000;

/** Seconds of a day. */
export const DAY = 86_400;

/** Unix seconds to the interface's timestamps: ISO 8601 in UTC. */
export function toTimestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
