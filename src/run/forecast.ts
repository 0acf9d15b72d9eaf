import type { ClientSettings } from '../client/settings';

/** What asking for companies in batches would come to. */
export interface Forecast {
  /** Each once. */
  readonly companies: number;
  readonly requests: number;
  /** How long these take at least under the limits of the key, when nothing else uses it. */
  readonly seconds: number;
  /** Companies among them that this n8n has read in the last 30 days. */
  readonly readBefore: number;
  /** From when on it knows what it has read (Unix milliseconds). */
  readonly knownSince: number;
  /** Credits that the run may spend; undefined for no limit. */
  readonly limit: number | undefined;
}

/** How long so many requests take at least: a limit lets that many go at once, then makes them wait. */
export function secondsFor(
  requests: number,
  {
    requestsPerMinute,
    requestsPerDay,
  }: Pick<ClientSettings, 'requestsPerMinute' | 'requestsPerDay'>,
): number {
  const waits = (limit: number) => Math.floor(Math.max(0, requests - 1) / limit);
  return Math.max(waits(requestsPerMinute) * 60, waits(requestsPerDay) * 24 * 60 * 60);
}
