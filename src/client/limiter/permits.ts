import type Bottleneck from 'bottleneck';

const bottleneck = () => require('bottleneck/light') as typeof Bottleneck;

/** Bounds the connections, and the requests that are already sent when a 429 arrives. It is no rate limit. */
export const KEY_CONCURRENT = 100;

/** The rest of a window's requests is spread until permits return. */
const BURST = 0.9;

/** Delays are made up for; the reservoir still keeps the limit. */
const CATCH_UP = 0.95;

/** Smaller relative changes of the pace are not passed to Bottleneck. */
const PACE_STEP = 0.02;

/** Bottleneck fixes the start of a granted slot, so only the next milliseconds are asked for. */
const AHEAD_MS = 250;
const MAX_AHEAD = 10;

export type Pace = number | 'burst' | 'unpaced';

/**
 * Bottleneck decides when each request goes: its reservoir holds the requests of a window, `minTime` spreads
 * them, and `maxConcurrent` bounds those in flight. A permit returns to the reservoir one window after its
 * *response*: however the service counts its minutes, it never receives more than the limit.
 */
export class Permits {
  private readonly limiter: Bottleneck;
  private inFlight = 0;
  /** Times at which used permits return, on the clock of `performance.now()`. */
  private readonly returns: number[] = [];
  private returning: NodeJS.Timeout | undefined;
  private pace: Pace = 'burst';
  private isAwaited = false;
  private isBurstOver = false;
  private minTime = 0;

  constructor(
    private limit: number,
    private readonly windowMs: number,
  ) {
    this.limiter = new (bottleneck())({
      reservoir: limit,
      maxConcurrent: KEY_CONCURRENT,
      minTime: 0,
    });
    useMonotonicClock(this.limiter);
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && (this.returns.at(-1) ?? 0) <= performance.now();
  }

  get ahead(): number {
    return Math.min(MAX_AHEAD, Math.ceil(AHEAD_MS / this.minTime));
  }

  /** @param use Never rejects. Resolves when the request has ended; false frees the permit immediately. */
  ask(use: () => Promise<boolean>): void {
    void this.limiter.schedule(async () => {
      this.inFlight += 1;
      this.updatePace();
      const wasSent = await use();
      this.inFlight -= 1;
      if (wasSent) {
        this.returns.push(performance.now() + this.windowMs);
        this.scheduleReturn();
      } else {
        this.isBurstOver = false;
        void this.limiter.incrementReservoir(1);
      }
      this.updatePace();
    });
  }

  setLimit(limit: number): void {
    if (limit === this.limit) return;
    void this.limiter.incrementReservoir(limit - this.limit);
    this.limit = limit;
    this.updatePace();
  }

  /**
   * @param isAwaited Only while requests wait, a timer keeps the process alive.
   * @param pace `'burst'` for a burst first, a number for that many per window without bursts, or
   * `'unpaced'` if something else spreads them.
   */
  setPace(isAwaited: boolean, pace: Pace): void {
    this.isAwaited = isAwaited;
    this.pace = pace;
    if (isAwaited) this.returning?.ref();
    else this.returning?.unref();
    this.updatePace();
  }

  private get used(): number {
    return this.inFlight + this.returns.length;
  }

  private scheduleReturn(): void {
    const [next] = this.returns;
    if (this.returning !== undefined || next === undefined) return;
    const wait = Math.max(0, Math.ceil(next - performance.now()));
    this.returning = setTimeout(() => {
      this.returning = undefined;
      const now = performance.now();
      const waiting = this.returns.findIndex((at) => at > now);
      const due = this.returns.splice(0, waiting === -1 ? this.returns.length : waiting);
      if (due.length > 0) void this.limiter.incrementReservoir(due.length);
      this.scheduleReturn();
      this.updatePace();
    }, wait);
    if (!this.isAwaited) this.returning.unref();
  }

  private updatePace(): void {
    if (!this.isAwaited) this.isBurstOver = false;
    else if (this.used >= BURST * this.limit) this.isBurstOver = true;
    const minTime = this.getMinTime();
    if (Math.abs(minTime - this.minTime) <= PACE_STEP * this.minTime) return;
    this.minTime = minTime;
    void this.limiter.updateSettings({ minTime });
  }

  private getMinTime(): number {
    if (this.pace === 'unpaced') return 0;
    // 1 ms more prevents a 429 from both fixed and sliding windows.
    if (this.pace !== 'burst') return Math.ceil(this.windowMs / this.pace) + 1;
    if (!this.isBurstOver) return 0;
    const untilReturnMs = (this.returns[0] ?? 0) - performance.now();
    const left = Math.max(0, this.limit - this.used);
    return Math.max((CATCH_UP * this.windowMs) / this.limit, untilReturnMs / (left + 1));
  }
}

interface Store {
  _nextRequest: number;
  readonly storeOptions: { readonly minTime: number };
}

/**
 * Bottleneck compares the next start with the wall clock, so after the clock was set back by a day it would
 * start no job for a day. On this clock, the next start also follows a change of `minTime` immediately.
 */
function useMonotonicClock(limiter: Bottleneck): void {
  const { _store: store } = limiter as unknown as { readonly _store: Store };
  let lastStart = -Infinity;
  const ahead = () => store.storeOptions.minTime + Date.now() - performance.now();
  Object.defineProperty(store, '_nextRequest', {
    get: () => lastStart + ahead(),
    set: (at: number) => {
      lastStart = at - ahead();
    },
  });
}
