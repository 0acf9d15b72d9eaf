/** Effects of refreshes on a company: how many there were, and when the last one was (Unix seconds). */
export interface Refreshed {
  readonly times: number;
  readonly at: number;
}

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
  private undetected: PlannedRefresh[] = [];
  private underived: PlannedRefresh[] = [];
  private readonly detectedOf = new Map<number, Refreshed>();
  private readonly derivedOf = new Map<number, Refreshed>();
  /** Increases when derived views change, so that cached orders become invalid. */
  private derivedVersion = 0;

  /** Schedules the effects of a refresh. */
  plan(refresh: PlannedRefresh): void {
    this.undetected.push(refresh);
    this.underived.push(refresh);
  }

  /** Applies all effects that are due at `now`. */
  settle(now: number): void {
    this.undetected = this.undetected.filter((plan) => {
      if (plan.detectedAt > now) return true;
      apply(this.detectedOf, plan);
      return false;
    });
    this.underived = this.underived.filter((plan) => {
      if (plan.derivedAt > now) return true;
      apply(this.derivedOf, plan);
      this.derivedVersion += 1;
      return false;
    });
  }

  /** Returns the refreshes that detection data shows; undefined for companies without any. */
  detected(companyId: number): Refreshed | undefined {
    return this.detectedOf.get(companyId);
  }

  /** Returns the refreshes that technology lists and firmographics show. */
  derived(companyId: number): Refreshed | undefined {
    return this.derivedOf.get(companyId);
  }

  get version(): number {
    return this.derivedVersion;
  }

  reset(): void {
    this.undetected = [];
    this.underived = [];
    this.detectedOf.clear();
    this.derivedOf.clear();
    this.derivedVersion += 1;
  }
}

function apply(of: Map<number, Refreshed>, { companyId, detectedAt }: PlannedRefresh): void {
  of.set(companyId, {
    times: (of.get(companyId)?.times ?? 0) + 1,
    at: Math.floor(detectedAt / 1000),
  });
}
