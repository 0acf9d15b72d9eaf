import type { Client } from '../client/client';
import type { RecentReads } from '../client/keys';
import { domainKey } from '../input/hosts';
import type { Page } from './responses/page';
import type { Row } from './responses/rows';
import type { BatchReport } from './responses/batch-response';
import type { CreditBudget } from './run-guards';

/** Counters of a run in progress. */
interface Counts {
  /** Requests, including retries; for a request shared with other runs, this run's fraction. */
  requests: number;
  /** Rows of lists that arrived. */
  rows: number;
  /** Rows of lists omitted because of a limit, if the service reports a total. */
  left: number;
  /** Companies looked up one by one or in batches. */
  lookedUp: number;
  /** Looked-up companies that the service tracks. */
  tracked: number;
  /** Returned companies that were free because this n8n had read them before. */
  readBefore: number;
}

/** Statistics of one node execution so far: requests, results and credits. */
export interface RunStats extends Readonly<Counts> {
  /** Maximum credits spent, counted as if nothing were free. */
  readonly creditsAtMost: number;
  /** Requests that may have been charged although no response arrived. */
  readonly unconfirmed: number;
}

const NO_COUNTS: Counts = {
  requests: 0,
  rows: 0,
  left: 0,
  lookedUp: 0,
  tracked: 0,
  readBefore: 0,
};

/** Statistics of an execution that has sent nothing. */
export const NO_STATS: RunStats = { ...NO_COUNTS, creditsAtMost: 0, unconfirmed: 0 };

/** Tolerance for rounding, because the fractions of shared requests do not add up to whole numbers. */
const ROUNDING_ERROR = 1e-6;

/** Rounds a number of requests to hundredths; a fraction of a shared request never becomes 0. */
export function roundRequests(requests: number): number {
  return requests < ROUNDING_ERROR ? 0 : Math.max(0.01, Math.round(requests * 100) / 100);
}

/** Counts the requests and results of one node execution, and records which companies it has read. */
export class RunStatsCounter {
  private readonly counts = { ...NO_COUNTS };

  constructor(private readonly reads: RecentReads) {}

  /** Returns the statistics of the execution so far. */
  toRunStats({ maxSpent: creditsAtMost, unconfirmed }: CreditBudget): RunStats {
    const requests = roundRequests(this.counts.requests);
    return { ...this.counts, requests, creditsAtMost, unconfirmed };
  }

  /** @param part Fraction of a shared request; negative for a request that was not sent after all. */
  readonly recordRequest = (part = 1): void => {
    this.counts.requests += part;
  };

  /** @param begun Time before the request was sent. */
  recordTracked(row: Row, begun: number): void {
    this.recordLookups(1, 1);
    this.recordRows([row], begun);
  }

  recordLookups(lookedUp: number, tracked: number): void {
    this.counts.lookedUp += lookedUp;
    this.counts.tracked += tracked;
  }

  /**
   * Counts the pages of a list and passes them on.
   *
   * @param list Where the list starts, whether a limit may omit rows, and whether its companies are
   * worth recording as read.
   */
  async *countPages(
    pages: AsyncIterable<Page>,
    list: {
      readonly skip: number;
      readonly isLimited: boolean;
      readonly isRead: boolean;
    },
  ): AsyncGenerator<Page, void, undefined> {
    const begun = Date.now();
    let end = list.skip;
    let total: number | undefined;
    for await (const page of pages) {
      end += page.rows.length;
      total = page.pagination.totalResults ?? total;
      this.counts.rows += page.rows.length;
      if (list.isRead) this.recordRows(page.rows, begun);
      yield page;
    }
    if (list.isLimited) this.counts.left += Math.max(0, (total ?? end) - end);
  }

  recordResponse({ outcomes, charged }: BatchReport, begun: number): void {
    for (const { kind } of outcomes.values()) if (kind !== 'failed') this.counts.lookedUp += 1;
    this.counts.tracked += charged.length;
    this.recordCompanies(charged, begun);
  }

  private recordRows(rows: readonly Row[], begun: number): void {
    const domains = rows
      .map((row) => row.primary_domain ?? row.partner_domain)
      .filter((domain) => typeof domain === 'string');
    this.recordCompanies(domains.map(domainKey), begun);
  }

  /** Records companies that were returned. */
  private recordCompanies(domains: readonly string[], begun: number): void {
    this.counts.readBefore += this.reads.record(domains, begun);
  }
}

/** Forecast of the cost of looking up companies in batches. */
export interface CostForecast {
  /** Number of distinct companies. */
  readonly companies: number;
  /** Searches for one company each, by something other than its domain. */
  readonly searches: number;
  readonly requests: number;
  /** Minimum duration of the requests under the limits of the key, if nothing else uses it. */
  readonly seconds: number;
  /** Companies that this n8n has read in the last 30 days. */
  readonly readBefore: number;
  /** Time since which this n8n knows what it has read, in Unix milliseconds. */
  readonly knownSince: number;
  /** Credits that the run may spend; undefined for no limit. */
  readonly limit: number | undefined;
}

/**
 * Returns the forecast for a number of requests and a set of companies.
 *
 * @param requests Number of required requests.
 * @param limit Credits that the run may spend; undefined for no limit.
 */
export function toForecast(
  { requestsPerMinute, reads }: Pick<Client, 'requestsPerMinute' | 'reads'>,
  requests: number,
  companies: ReadonlySet<string>,
  limit: number | undefined,
): Omit<CostForecast, 'searches'> {
  const now = Date.now();
  return {
    companies: companies.size,
    requests,
    // The limit lets that many requests go immediately and delays the rest.
    seconds: 60 * Math.floor(Math.max(0, requests - 1) / requestsPerMinute),
    readBefore: [...companies].filter((domain) => reads.has(domain, now)).length,
    knownSince: reads.since,
    limit,
  };
}
