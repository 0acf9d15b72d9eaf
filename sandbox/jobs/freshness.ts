/** Effects of refreshes on a company: how many there were, and when the last one was (Unix seconds). */
export interface Refreshed {
  readonly times: number;
  readonly at: number;
}

type Effects = Map<number, Refreshed>;

/** A refresh that will succeed. Times are milliseconds of the service's clock. */
export interface PlannedRefresh {
  readonly companyId: number;
  readonly detectedAt: number;
  readonly derivedAt: number;
}

/**
 * Results of refresh jobs, kept separately from the unchanging world (Companies, rule 4). Detection
 * data shows them as soon as a domain has succeeded, technology lists and firmographics later.
 */
export class Freshness {
  /** Increases when derived views change, so that cached orders become invalid. */
  version = 0;
  private pending: Array<PlannedRefresh & { readonly due: number; readonly of: Effects }> = [];
  private readonly detectedOf: Effects = new Map();
  private readonly derivedOf: Effects = new Map();

  /** Schedules the effects of a refresh. */
  plan(refresh: PlannedRefresh): void {
    this.pending.push({ ...refresh, due: refresh.detectedAt, of: this.detectedOf });
    this.pending.push({ ...refresh, due: refresh.derivedAt, of: this.derivedOf });
  }

  /** Applies all effects that are due at `now`. */
  settle(now: number): void {
    for (const { due, of, companyId, detectedAt } of this.pending) {
      if (due > now) continue;
      const times = (of.get(companyId)?.times ?? 0) + 1;
      of.set(companyId, { times, at: Math.floor(detectedAt / 1000) });
      if (of === this.derivedOf) this.version += 1;
    }
    this.pending = this.pending.filter(({ due }) => due > now);
  }

  /** Returns the refreshes that detection data shows; undefined for companies without any. */
  detected(companyId: number): Refreshed | undefined {
    return this.detectedOf.get(companyId);
  }

  /** Returns the refreshes that technology lists and firmographics show. */
  derived(companyId: number): Refreshed | undefined {
    return this.derivedOf.get(companyId);
  }
}
