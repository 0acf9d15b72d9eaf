import type { Page } from './responses/page';
import type { CreditBudget, RunCost } from './run-guards';

interface Counts {
  /** Requests, including retries; for a request shared with other runs, this run's fraction. */
  requests: number;
  rows: number;
  /** Rows of lists omitted because of a limit, if the service reports a total. */
  left: number;
  lookedUp: number;
  tracked: number;
}

export interface RunStats extends Readonly<Counts>, RunCost {}

const NO_COUNTS: Counts = {
  requests: 0,
  rows: 0,
  left: 0,
  lookedUp: 0,
  tracked: 0,
};

export const NO_STATS: RunStats = {
  ...NO_COUNTS,
  creditsAtMost: 0,
  unconfirmed: 0,
  isLowerBound: false,
};

/** Tolerance for rounding, because the fractions of shared requests do not add up to whole numbers. */
const ROUNDING_ERROR = 1e-6;

/** Rounds a number of requests to hundredths; a fraction of a shared request never becomes 0. */
export function roundRequests(requests: number): number {
  return requests < ROUNDING_ERROR ? 0 : Math.max(0.01, Math.round(requests * 100) / 100);
}

export class RunStatsCounter {
  private readonly counts = { ...NO_COUNTS };

  toRunStats({ cost }: CreditBudget): RunStats {
    return { ...this.counts, ...cost, requests: roundRequests(this.counts.requests) };
  }

  /** @param part Fraction of a shared request; negative for a request that was not sent after all. */
  readonly recordRequest = (part = 1): void => {
    this.counts.requests += part;
  };

  recordLookups(lookedUp: number, tracked: number): void {
    this.counts.lookedUp += lookedUp;
    this.counts.tracked += tracked;
  }

  async *countPages(
    pages: AsyncIterable<Page>,
    list: { readonly skip: number; readonly isLimited: boolean },
  ): AsyncGenerator<Page, void, undefined> {
    let end = list.skip;
    let total: number | undefined;
    for await (const page of pages) {
      end += page.rows.length;
      total = page.pagination.totalResults ?? total;
      this.counts.rows += page.rows.length;
      yield page;
    }
    if (list.isLimited) this.counts.left += Math.max(0, (total ?? end) - end);
  }
}
