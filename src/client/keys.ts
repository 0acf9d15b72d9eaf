import { createHash } from 'node:crypto';

import { KeyLimiter } from './limiter/key-limiter';
import type { ClientSettings, Timing } from './settings';

/** State of one API key of one service, shared by everything in this process. */
export interface KeyState {
  /** Identifies the service and the key without revealing either. */
  readonly id: string;
  readonly limiter: KeyLimiter;
  readonly limitsInUse: LimitsInUse;
  /** Learned batch size limits of the service, by path (API spec: Companies, rule 2). */
  readonly batchCeilings: Map<string, number>;
  readonly recentReads: RecentReads;
}

/**
 * The only owner of shared state. n8n loads each node file separately. The nodes share this module
 * because all of them require it, so it must never be bundled into a node.
 */
const states = new Map<string, { readonly state: KeyState; readonly openedAt: number }>();

/** Minimum time for which an opened key is kept, because it may not have been used yet. */
const RETENTION_MS = 24 * 60 * 60_000;

/** Returns the state for the settings' base URL and API key, and creates it if necessary. */
export function getKeyState(settings: ClientSettings, timing: Timing): KeyState {
  const { baseUrl, apiKey, redis, requestsPerMinute } = settings;
  const id = createHash('sha256').update(`${baseUrl} ${apiKey}`).digest('hex');
  const known = states.get(id)?.state;
  if (known === undefined) forgetIdleKeys();
  const state = known ?? createKeyState(id, settings, timing);
  // At the end, so that the map starts with the keys that were opened longest ago.
  states.delete(id);
  states.set(id, { state, openedAt: performance.now() });
  // A credential without Redis must not end the sharing of runs with another credential of the key.
  if (redis !== undefined || !state.limitsInUse.isAny) state.limiter.shareOverRedis(redis, id);
  state.limitsInUse.open(requestsPerMinute);
  return state;
}

function createKeyState(id: string, { requestsPerMinute }: ClientSettings, timing: Timing) {
  const limiter = new KeyLimiter(requestsPerMinute, timing);
  return {
    id,
    limiter,
    limitsInUse: new LimitsInUse(limiter),
    batchCeilings: new Map<string, number>(),
    recentReads: new RecentReads(Date.now()),
  };
}

function forgetIdleKeys(): void {
  const now = performance.now();
  for (const [id, { state, openedAt }] of states) {
    if (openedAt + RETENTION_MS > now) return;
    if (!state.limiter.isIdle) continue;
    state.limiter.close();
    states.delete(id);
  }
}

/**
 * Chooses the limit if credentials with the same URL and key differ: the lowest of those with requests
 * queued or in flight; without any, that of the credential that was opened last.
 */
class LimitsInUse {
  /** Number of requests by requests per minute. */
  private readonly uses = new Map<number, number>();

  constructor(private readonly limiter: KeyLimiter) {}

  get isAny(): boolean {
    return this.uses.size > 0;
  }

  open(requestsPerMinute: number): void {
    this.limiter.setLimit(Math.min(...(this.isAny ? this.uses.keys() : [requestsPerMinute])));
  }

  /** Runs `send` for a credential with this limit. */
  async runWith<T>(requestsPerMinute: number, send: () => Promise<T>): Promise<T> {
    const change = (by: number) => {
      const count = (this.uses.get(requestsPerMinute) ?? 0) + by;
      if (count === 0) this.uses.delete(requestsPerMinute);
      else this.uses.set(requestsPerMinute, count);
      this.open(requestsPerMinute);
    };
    change(1);
    try {
      return await send();
    } finally {
      change(-1);
    }
  }
}

/** Period in which reading a company again is free (API spec: Credits, rule 2). */
export const FREE_REREAD_MS = 30 * 24 * 60 * 60_000;

/** Maximum number of remembered companies: about 10 MB. */
const MAX_COMPANIES = 100_000;

/**
 * Companies that this n8n has read with a key in the last 30 days, which are free to read again. Only
 * hints and estimates use them.
 */
export class RecentReads {
  /** Time of each read by domain, oldest first. */
  private readonly readTimes = new Map<string, number>();

  /** @param since Time since which all reads are recorded, as long as there is room. */
  constructor(
    readonly since: number,
    private readonly most = MAX_COMPANIES,
  ) {}

  /** Returns whether a company was read in the 30 days before `now`. */
  has(domain: string, now: number): boolean {
    const at = this.readTimes.get(domain);
    return at !== undefined && at <= now && now < at + FREE_REREAD_MS;
  }

  /**
   * Records companies that were read. Reading again does not restart the 30 days.
   *
   * @param at Time before the request was sent.
   * @returns Number of companies that were known already.
   */
  record(domains: Iterable<string>, at: number): number {
    let known = 0;
    for (const domain of new Set(domains)) {
      if (this.has(domain, at)) {
        known += 1;
        continue;
      }
      // Inserted again, so that the entry comes after older ones.
      this.readTimes.delete(domain);
      this.readTimes.set(domain, at);
    }
    for (const oldest of this.readTimes.keys()) {
      if (this.readTimes.size <= this.most) break;
      this.readTimes.delete(oldest);
    }
    return known;
  }
}
