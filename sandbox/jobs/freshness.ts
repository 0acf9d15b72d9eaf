/** What refreshes have added to a company: how often, and when last (Unix seconds). */
export interface Refreshed {
  readonly times: number;
  readonly at: number;
}

/** A refresh that will succeed; moments are milliseconds of the service's clock. */
export interface PlannedRefresh {
  readonly companyId: number;
  readonly detectedAt: number;
  readonly derivedAt: number;
}

/**
 * What refresh jobs found, beside the unchanging world (Companies, rule 4): detection data shows it
 * as soon as a domain has succeeded, technology lists and firmographics later.
 */
export class Freshness {
  private undetected: PlannedRefresh[] = [];
  private underived: PlannedRefresh[] = [];
  private readonly detectedOf = new Map<number, Refreshed>();
  private readonly derivedOf = new Map<number, Refreshed>();
  /** Grows whenever derived views change, so that cached orders can be told apart. */
  private derivedVersion = 0;

  /** Plans what a refreshed company will show, and when. */
  plan(refresh: PlannedRefresh): void {
    this.undetected.push(refresh);
    this.underived.push(refresh);
  }

  /** Lets everything due at `now` take effect. */
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

  /** What detection data shows; undefined for companies never refreshed. */
  detected(companyId: number): Refreshed | undefined {
    return this.detectedOf.get(companyId);
  }

  /** What technology lists and firmographics show. */
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
