import type Bottleneck from 'bottleneck';

import { lazily } from '../../lazily';

const bottleneck = lazily(() => require('bottleneck') as typeof Bottleneck);

/** Right to send one request. */
export interface Permit {
  /** @param sent false when it was not used, and can be given to somebody else at once. */
  readonly release: (sent: boolean) => void;
}

/** How many requests are allowed, and how they are spread. */
export interface Allowance {
  /** Requests in any window. */
  readonly limit: number;
  /** Requests per window that are let through evenly, without bursts; undefined: bursts are fine. */
  readonly pace: number | undefined;
}

/** Part of a window's permits that may go in one burst. The rest is handed out evenly. */
const BURST = 0.9;

/** Permits that are handed out evenly and are late for so long, because the process is busy, still come. */
const CATCH_UP_MS = 250;

/**
 * The permits of one process for one key.
 *
 * A permit is taken when a request starts and comes back one window after its *response*: whatever
 * way the service counts its minutes, it never sees more than the limit, and an idle key may still
 * send its first requests in one burst. Bottleneck's own periodic refresh would allow twice the
 * limit around the moment of refreshing, and its `minTime` goes by the clock: see
 * {@link ignoreClock}.
 *
 * The last tenth of a window is not part of the burst but lasts until permits come back. So there is
 * soon one for a run that comes late, and after a window the permits come back evenly.
 */
export class Permits {
  private readonly bottleneck: Bottleneck;
  /** Moments at which permits come back, in order, as `performance.now()` counts. */
  private readonly returns: number[] = [];
  private returnTimer: NodeJS.Timeout | undefined;
  private underWay = 0;
  /** Since when somebody waits for a permit; undefined while nobody does. */
  private awaitedSince: number | undefined;
  /** The burst of this window is over. */
  private spreading = false;
  /** Milliseconds between two permits; 0: they may go at once. */
  private gapMs = 0;
  /** When the last permit was to go, which may be a little before it did. */
  private lastAt = -Infinity;
  /** Has whoever waits for the next permit look again when that is due. */
  private gapShortened = (): void => undefined;

  /** @param concurrent permits that may be in use at once. */
  constructor(
    private allowance: Allowance,
    private readonly windowMs: number,
    private readonly concurrent: number,
  ) {
    this.bottleneck = new (bottleneck())({ reservoir: allowance.limit, maxConcurrent: 1 });
    ignoreClock(this.bottleneck);
    this.respace();
  }

  /** True when no request counts against the window any more. */
  get unused(): boolean {
    return this.used === 0;
  }

  /** So many may be in use beyond those that are. */
  get room(): number {
    return this.concurrent - this.underWay;
  }

  /**
   * Whoever asks gets a permit sooner or later, and with it as many more as there are and as may go
   * now; each must be released. They share one job of Bottleneck, because each job costs it several
   * timers, one after the other (about 3 ms).
   *
   * @param wanted the most that are of use.
   */
  async take(wanted: number): Promise<Permit[]> {
    return await this.bottleneck.schedule(async () => {
      const due = await this.untilDue();
      const count = Math.max(1, Math.min(wanted, due, this.allowance.limit - this.used));
      this.underWay += count;
      // The job itself takes one; a heavier job could wait for ever after the limit was lowered.
      if (count > 1) void this.bottleneck.incrementReservoir(1 - count);
      this.lastAt += this.gapMs * (count - 1);
      this.respace();
      return Array.from({ length: count }, () => this.permit());
    });
  }

  /** Takes over another allowance; what was sent already still counts. */
  async allow(allowance: Allowance): Promise<void> {
    const more = allowance.limit - this.allowance.limit;
    this.allowance = allowance;
    if (more !== 0) await this.bottleneck.incrementReservoir(more);
    this.respace();
  }

  /** @param awaited somebody waits for a permit; only then the process has to stay for one. */
  setAwaited(awaited: boolean): void {
    this.awaitedSince = awaited ? (this.awaitedSince ?? performance.now()) : undefined;
    this.respace();
    this.arm();
  }

  private get used(): number {
    return this.underWay + this.returns.length;
  }

  private get leftOfBurst(): number {
    return Math.ceil(BURST * this.allowance.limit) - this.used;
  }

  /**
   * Waits until the next permit may go. No change of the clock matters.
   *
   * @returns how many may go now.
   */
  private async untilDue(): Promise<number> {
    for (;;) {
      const now = performance.now();
      if (this.gapMs === 0) {
        this.lastAt = now;
        return this.leftOfBurst;
      }
      const since = this.awaitedSince ?? now;
      const dueAt = Math.max(since, this.lastAt + this.gapMs, now - CATCH_UP_MS);
      if (dueAt <= now) {
        this.lastAt = dueAt;
        return 1 + Math.floor((now - dueAt) / this.gapMs);
      }
      await this.waitFor(dueAt - now);
    }
  }

  private async waitFor(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.gapShortened = resolve;
      timer = setTimeout(resolve, Math.ceil(ms));
    });
    clearTimeout(timer);
  }

  private permit(): Permit {
    return {
      release: (sent) => {
        this.underWay -= 1;
        if (sent) this.returns.push(performance.now() + this.windowMs);
        else this.takeBack();
        this.arm();
      },
    };
  }

  /** A permit was not used: what it took of the burst may go at once again. */
  private takeBack(): void {
    void this.bottleneck.incrementReservoir(1);
    if (this.leftOfBurst > 0) this.spreading = false;
    this.respace();
  }

  /** Decides whether permits go in a burst or evenly. */
  private respace(): void {
    const { limit, pace } = this.allowance;
    const { used } = this;
    if (used >= BURST * limit) this.spreading = true;
    else if (this.awaitedSince === undefined) this.spreading = false;
    const share = this.windowMs / limit;
    // What is left of this window has to last until the first permit comes back.
    const left = (this.returns[0] ?? 0) - performance.now();
    const lasting = Math.max(share, Math.round(left / Math.max(1, limit - used)));
    // One millisecond more than the exact share keeps a fixed and a sliding window from refusing.
    const paced = pace === undefined ? 0 : Math.ceil(this.windowMs / pace) + 1;
    const gapMs = Math.max(paced, this.spreading ? lasting : 0);
    const isShorter = gapMs < this.gapMs;
    this.gapMs = gapMs;
    if (isShorter) this.gapShortened();
  }

  /** Keeps one timer for the next permit; it holds the process open only while somebody waits. */
  private arm(): void {
    const next = this.returns[0];
    if (this.returnTimer === undefined && next !== undefined) {
      this.returnTimer = setTimeout(
        () => {
          this.returnTimer = undefined;
          this.returnDue();
        },
        Math.max(0, next - performance.now()),
      );
    }
    if (this.awaitedSince === undefined) this.returnTimer?.unref();
    else this.returnTimer?.ref();
  }

  private returnDue(): void {
    const now = performance.now();
    const pending = this.returns.findIndex((moment) => moment > now);
    const due = pending === -1 ? this.returns.length : pending;
    this.returns.splice(0, due);
    if (due > 0) void this.bottleneck.incrementReservoir(due);
    this.respace();
    this.arm();
  }
}

/**
 * Bottleneck notes the moment from which a job may start, also when there is no `minTime`, and waits
 * for it by the clock: after that was set back by a day, every job would wait for a day. Here nothing
 * is ever to be waited for, because {@link Permits} does that. `_store` and `_nextRequest` are private:
 * they are those of bottleneck 2.19.5, and `clock.test.ts` fails where they are others.
 */
function ignoreClock(bottleneck: Bottleneck): void {
  const { _store: store } = bottleneck as unknown as { readonly _store: object };
  Object.defineProperty(store, '_nextRequest', { get: () => 0, set: () => undefined });
}
