import { createHash, hash } from 'node:crypto';

import { KeyLimiter, type Pace } from './limiter/key-limiter';
import type { ClientSettings, Timing } from './settings';

/** What is known about one API key of one service, shared by everything in this process. */
export interface KeyState {
  /** Stands for the service and the key, and shows neither. */
  readonly id: string;
  readonly limiter: KeyLimiter;
  readonly paces: Paces;
  /** Batch sizes the service refused to exceed, by path (interface: Companies, rule 2). */
  readonly batchCeilings: Map<string, number>;
  readonly reads: Reads;
}

/**
 * The only owner of shared state. n8n loads each node file by itself; they share this module
 * because all of them require it, so it must never be bundled into a node.
 */
const states = new Map<string, { readonly state: KeyState; readonly openedAt: number }>();

/** A key that was opened may not have been used yet, so it is kept for a day in any case. */
const KEPT_MS = 24 * 60 * 60_000;

/** Finds, or makes, the state of the settings' (base URL, API key). */
export function stateOfKey(settings: ClientSettings, timing: Timing): KeyState {
  const { baseUrl, apiKey, redis } = settings;
  const id = createHash('sha256').update(`${baseUrl} ${apiKey}`).digest('hex');
  const known = states.get(id);
  if (known !== undefined) {
    noteOpened(known.state);
    known.state.limiter.shareThrough(redis, id);
    known.state.paces.open(settings);
    return known.state;
  }
  forgetIdleKeys();
  const limiter = new KeyLimiter(settings, timing);
  const state = {
    id,
    limiter,
    paces: new Paces(limiter, settings, timing.windowMs),
    batchCeilings: new Map(),
    reads: new Reads(id, Date.now()),
  };
  state.limiter.shareThrough(redis, id);
  noteOpened(state);
  return state;
}

/** Puts a key at the end, so that the map begins with those that nobody opened for longest. */
function noteOpened(state: KeyState): void {
  states.delete(state.id);
  states.set(state.id, { state, openedAt: performance.now() });
}

function forgetIdleKeys(): void {
  const now = performance.now();
  for (const [id, { state, openedAt }] of states) {
    if (openedAt + KEPT_MS > now) return;
    if (!state.limiter.forgettable) continue;
    state.limiter.close();
    states.delete(id);
  }
}

// --- Which pace holds ----------------------------------------------------------------------------

/** Requests of one pace. */
interface Use {
  readonly pace: Pace;
  underWay: number;
  /** As `performance.now()` counts; requests per minute still count until then. */
  countsUntil: number;
}

/**
 * Credentials with the same URL and key may name different limits. The lowest of those in use holds;
 * while none is, that of the credential that was opened last.
 */
export class Paces {
  private readonly uses = new Map<string, Use>();

  /** @param pace of the credential with which the limiter was made. */
  constructor(
    private readonly limiter: KeyLimiter,
    private pace: Pace,
    private readonly windowMs: number,
  ) {}

  open(pace: Pace): void {
    if (this.inUse().length === 0) this.set(pace);
  }

  /** Sends something for a credential with this pace. */
  async during<T>({ requestsPerMinute, requestsPerDay }: Pace, send: () => Promise<T>): Promise<T> {
    const pace = { requestsPerMinute, requestsPerDay };
    const name = JSON.stringify(pace);
    const use = this.uses.get(name) ?? { pace, underWay: 0, countsUntil: 0 };
    this.uses.set(name, use);
    use.underWay += 1;
    try {
      const underWay = [...this.uses.values()].filter((one) => one.underWay > 0);
      this.set({
        requestsPerMinute: Math.min(...this.inUse().map((one) => one.pace.requestsPerMinute)),
        // Who has raised the daily limit of a credential need not wait.
        requestsPerDay: Math.min(...underWay.map((one) => one.pace.requestsPerDay)),
      });
      return await send();
    } finally {
      use.underWay -= 1;
      use.countsUntil = performance.now() + this.windowMs;
    }
  }

  private inUse(): Use[] {
    for (const [name, { underWay, countsUntil }] of this.uses) {
      if (underWay === 0 && countsUntil <= performance.now()) this.uses.delete(name);
    }
    return [...this.uses.values()];
  }

  private set({ requestsPerMinute, requestsPerDay }: Pace): void {
    const { pace } = this;
    if (requestsPerMinute === pace.requestsPerMinute && requestsPerDay === pace.requestsPerDay) {
      return;
    }
    this.pace = { requestsPerMinute, requestsPerDay };
    this.limiter.setPace(this.pace);
  }
}

// --- Which companies were read -------------------------------------------------------------------

/** How long reading a company again is free (interface: Credits, rule 2). */
export const FREE_MS = 30 * 24 * 60 * 60_000;

/** How many companies are remembered: about 10 MB. */
const MOST_COMPANIES = 100_000;

/** Enough of a hash that no two companies are taken for one. */
const HASH_LENGTH = 11;

/**
 * Which companies this n8n has read with a key in the last 30 days: they are free to read again.
 * Bounded, the oldest are forgotten first. It holds no names but hashes that only the key makes.
 */
export class Reads {
  /** By hash, the oldest first. */
  private readonly times = new Map<string, number>();

  /**
   * @param secret of the key, so that nobody else can tell which company a hash stands for.
   * @param since from when on all reads are in it, as long as there is room.
   */
  constructor(
    private readonly secret: string,
    readonly since: number,
    private readonly most = MOST_COMPANIES,
  ) {}

  /** Whether a company was read in the 30 days before `now`. */
  knows(domain: string, now: number): boolean {
    return this.isFresh(this.hashOf(domain), now);
  }

  /**
   * Remembers companies that were read. The first time counts, because reading again does not begin
   * the 30 days over again.
   *
   * @param at a time before the service was asked.
   * @returns how many of them were known.
   */
  note(domains: Iterable<string>, at: number): number {
    let known = 0;
    for (const domain of new Set(domains)) {
      const read = this.hashOf(domain);
      if (this.isFresh(read, at)) known += 1;
      else {
        // Behind those that are older.
        this.times.delete(read);
        this.times.set(read, at);
      }
    }
    for (const oldest of this.times.keys()) {
      if (this.times.size <= this.most) break;
      this.times.delete(oldest);
    }
    return known;
  }

  private isFresh(read: string, now: number): boolean {
    const at = this.times.get(read);
    return at !== undefined && at <= now && now < at + FREE_MS;
  }

  private hashOf(domain: string): string {
    // Made for each row of a run; an HMAC takes four times as long, and only guards hashes that are whole.
    return hash('sha256', `${this.secret} ${domain}`, 'base64url').slice(0, HASH_LENGTH);
  }
}
