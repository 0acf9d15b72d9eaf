import { createHash, hash } from 'node:crypto';

import { KeyLimiter, type KeyLimits } from './limiter/key-limiter';
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
  const { baseUrl, apiKey, redis } = settings;
  const id = createHash('sha256').update(`${baseUrl} ${apiKey}`).digest('hex');
  const known = states.get(id)?.state;
  if (known === undefined) forgetIdleKeys();
  const state = known ?? createKeyState(id, settings, timing);
  // At the end, so that the map starts with the keys that were opened longest ago.
  states.delete(id);
  states.set(id, { state, openedAt: performance.now() });
  // A credential without Redis must not end the sharing of runs with another credential of the key.
  if (redis !== undefined || !state.limitsInUse.isAnyInUse) {
    state.limiter.shareOverRedis(redis, id);
  }
  state.limitsInUse.open(settings);
  return state;
}

function createKeyState(id: string, settings: ClientSettings, timing: Timing): KeyState {
  const limiter = new KeyLimiter(settings, timing);
  return {
    id,
    limiter,
    limitsInUse: new LimitsInUse(limiter, settings, timing.windowMs),
    batchCeilings: new Map(),
    recentReads: new RecentReads(id, Date.now()),
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

// --- Effective limits ----------------------------------------------------------------------------

/** Requests of credentials with the same limits. */
interface LimitUse {
  readonly pace: KeyLimits;
  inFlight: number;
  /** Time until which requests per minute still count, on the clock of `performance.now()`. */
  countsUntil: number;
}

/**
 * Chooses the limits if credentials with the same URL and key differ. The lowest limits in use apply;
 * while none are in use, those of the credential that was opened last apply.
 */
export class LimitsInUse {
  private readonly uses = new Map<string, LimitUse>();

  /** @param pace Limits of the credential with which the limiter was created. */
  constructor(
    private readonly limiter: KeyLimiter,
    private pace: KeyLimits,
    private readonly windowMs: number,
  ) {}

  /** True while requests with any of the limits are in flight or still count. */
  get isAnyInUse(): boolean {
    return this.inUse().length > 0;
  }

  open(pace: KeyLimits): void {
    if (!this.isAnyInUse) this.set(pace);
  }

  /** Runs `send` for a credential with these limits. */
  async runWith<T>(
    { requestsPerMinute, requestsPerDay }: KeyLimits,
    send: () => Promise<T>,
  ): Promise<T> {
    const pace = { requestsPerMinute, requestsPerDay };
    const name = JSON.stringify(pace);
    const use = this.uses.get(name) ?? { pace, inFlight: 0, countsUntil: 0 };
    this.uses.set(name, use);
    use.inFlight += 1;
    try {
      const inFlight = [...this.uses.values()].filter((one) => one.inFlight > 0);
      this.set({
        requestsPerMinute: Math.min(...this.inUse().map((one) => one.pace.requestsPerMinute)),
        // Only requests in flight count here, so that a raised daily limit applies without a wait.
        requestsPerDay: Math.min(...inFlight.map((one) => one.pace.requestsPerDay)),
      });
      return await send();
    } finally {
      use.inFlight -= 1;
      use.countsUntil = performance.now() + this.windowMs;
    }
  }

  private inUse(): LimitUse[] {
    for (const [name, { inFlight, countsUntil }] of this.uses) {
      if (inFlight === 0 && countsUntil <= performance.now()) this.uses.delete(name);
    }
    return [...this.uses.values()];
  }

  private set({ requestsPerMinute, requestsPerDay }: KeyLimits): void {
    const { pace } = this;
    if (requestsPerMinute === pace.requestsPerMinute && requestsPerDay === pace.requestsPerDay) {
      return;
    }
    this.pace = { requestsPerMinute, requestsPerDay };
    this.limiter.setLimits(this.pace);
  }
}

// --- Recently read companies ---------------------------------------------------------------------

/** Period in which reading a company again is free (API spec: Credits, rule 2). */
export const FREE_REREAD_MS = 30 * 24 * 60 * 60_000;

/** Maximum number of remembered companies: about 10 MB. */
const MAX_COMPANIES = 100_000;

/** Length of a truncated hash; long enough that no two companies collide. */
const HASH_LENGTH = 11;

/**
 * Cache of the companies that this n8n has read with a key in the last 30 days, which are free to read
 * again. Its size is bounded; the oldest entries are evicted first. It contains no names, only hashes
 * that cannot be computed without the key.
 */
export class RecentReads {
  /** Time of each read by hash, oldest first. */
  private readonly readTimes = new Map<string, number>();

  /**
   * @param secret Derived from the key, so that nobody else can find out which company a hash means.
   * @param since Time since which the cache contains all reads, as long as there is room.
   */
  constructor(
    private readonly secret: string,
    readonly since: number,
    private readonly most = MAX_COMPANIES,
  ) {}

  /** Returns whether a company was read in the 30 days before `now`. */
  has(domain: string, now: number): boolean {
    return this.isFresh(this.hashDomain(domain), now);
  }

  /**
   * Records companies that were read. The first read counts, because reading again does not restart the
   * 30 days.
   *
   * @param at Time before the request was sent.
   * @returns Number of companies that were known already.
   */
  record(domains: Iterable<string>, at: number): number {
    let known = 0;
    for (const domain of new Set(domains)) {
      const read = this.hashDomain(domain);
      if (this.isFresh(read, at)) known += 1;
      else {
        // Inserted again, so that the entry comes after older ones.
        this.readTimes.delete(read);
        this.readTimes.set(read, at);
      }
    }
    for (const oldest of this.readTimes.keys()) {
      if (this.readTimes.size <= this.most) break;
      this.readTimes.delete(oldest);
    }
    return known;
  }

  private isFresh(read: string, now: number): boolean {
    const at = this.readTimes.get(read);
    return at !== undefined && at <= now && now < at + FREE_REREAD_MS;
  }

  private hashDomain(domain: string): string {
    // Computed for each row of a run. An HMAC takes four times as long and only protects full hashes.
    return hash('sha256', `${this.secret} ${domain}`, 'base64url').slice(0, HASH_LENGTH);
  }
}
