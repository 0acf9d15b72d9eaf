import type { Client } from '../client/client';
import type { Reads } from '../client/keys';
import { domainKey } from '../input/hosts';
import type { Page } from './answers/page';
import type { Row } from './answers/rows';
import type { BatchReport } from './batches';
import type { CreditGuard } from './credit-guard';

/** What can be counted of a run as it goes on. */
interface Counts {
  /** Requests, those sent again included; of one that was shared with other runs, this run's part. */
  requests: number;
  /** Rows of lists that came. */
  rows: number;
  /** Rows of lists that were left out because of a limit, as far as the service says how many there are. */
  left: number;
  /** Companies that were asked for one by one, or in batches. */
  asked: number;
  /** Those of them that the service knows. */
  found: number;
  /** Companies that came and that this n8n had read before, so that they were free. */
  readBefore: number;
}

/** What one node execution has sent, got and spent so far. */
export interface Figures extends Readonly<Counts> {
  /** As if nothing were free. */
  readonly creditsAtMost: number;
  /** Requests that may have been charged although no answer came. */
  readonly unanswered: number;
}

const NOTHING: Counts = { requests: 0, rows: 0, left: 0, asked: 0, found: 0, readBefore: 0 };

/** Those of an execution that has sent nothing. */
export const NO_FIGURES: Figures = { ...NOTHING, creditsAtMost: 0, unanswered: 0 };

/** Parts of shared requests do not add up to whole numbers. */
const ROUNDING_ERROR = 1e-6;

/** A number of requests as it is told: the part of a shared one that was its own is never nothing. */
export function hundredths(requests: number): number {
  return requests < ROUNDING_ERROR ? 0 : Math.max(0.01, Math.round(requests * 100) / 100);
}

/** Counts what one node execution sends and gets, and notes which companies it has read. */
export class Tally {
  private readonly counts = { ...NOTHING };

  constructor(private readonly reads: Reads) {}

  /** What the execution has come to so far. */
  figuresWith({ atMost: creditsAtMost, unanswered }: CreditGuard): Figures {
    const requests = hundredths(this.counts.requests);
    return { ...this.counts, requests, creditsAtMost, unanswered };
  }

  /** @param part of a request that was shared; negative for one that was not sent after all. */
  readonly sent = (part = 1): void => {
    this.counts.requests += part;
  };

  /** @param begun a time before it was asked for. */
  found(row: Row, begun: number): void {
    this.counts.asked += 1;
    this.counts.found += 1;
    this.noteRows([row], begun);
  }

  notFound(): void {
    this.counts.asked += 1;
  }

  /**
   * Passes the pages of a list on.
   *
   * @param list where it begins, whether a limit may leave rows out, and whether its companies are
   * worth remembering.
   */
  async *reading(
    pages: AsyncIterable<Page>,
    list: { readonly skip: number; readonly isLimited: boolean; readonly isRead: boolean },
  ): AsyncGenerator<Page, void, undefined> {
    const begun = Date.now();
    let end = list.skip;
    let total: number | undefined;
    for await (const page of pages) {
      end += page.rows.length;
      total = page.pagination.totalResults ?? total;
      this.counts.rows += page.rows.length;
      if (list.isRead) this.noteRows(page.rows, begun);
      yield page;
    }
    if (list.isLimited) this.counts.left += Math.max(0, (total ?? end) - end);
  }

  answered({ outcomes, charged }: BatchReport, begun: number): void {
    for (const { kind } of outcomes.values()) if (kind !== 'failed') this.counts.asked += 1;
    this.counts.found += charged.length;
    this.note(charged, begun);
  }

  private noteRows(rows: readonly Row[], begun: number): void {
    const domains = rows
      .map((row) => row.primary_domain ?? row.partner_domain)
      .filter((domain) => typeof domain === 'string');
    this.note(domains.map(domainKey), begun);
  }

  /** Companies that came. */
  private note(domains: readonly string[], begun: number): void {
    this.counts.readBefore += this.reads.note(domains, begun);
  }
}

/** What asking for companies in batches would come to. */
export interface Forecast {
  /** Each once. */
  readonly companies: number;
  /** Searches for a company each, by something else than its domain. */
  readonly searches: number;
  readonly requests: number;
  /** How long these take at least under the limits of the key, when nothing else uses it. */
  readonly seconds: number;
  /** Companies among them that this n8n has read in the last 30 days. */
  readonly readBefore: number;
  /** From when on it knows what it has read (Unix milliseconds). */
  readonly knownSince: number;
  /** Credits that the run may spend; undefined for no limit. */
  readonly limit: number | undefined;
}

/**
 * @param requests that are needed.
 * @param limit credits that the run may spend.
 */
export function forecastOf(
  { pace, reads }: Pick<Client, 'pace' | 'reads'>,
  requests: number,
  companies: ReadonlySet<string>,
  limit: number | undefined,
): Omit<Forecast, 'searches'> {
  const now = Date.now();
  return {
    companies: companies.size,
    requests,
    seconds: secondsFor(requests, pace),
    readBefore: [...companies].filter((domain) => reads.knows(domain, now)).length,
    knownSince: reads.since,
    limit,
  };
}

/** How long so many requests take at least: a limit lets that many go at once, then makes them wait. */
export function secondsFor(
  requests: number,
  { requestsPerMinute, requestsPerDay }: Client['pace'],
): number {
  const waits = (limit: number) => Math.floor(Math.max(0, requests - 1) / limit);
  return Math.max(waits(requestsPerMinute) * 60, waits(requestsPerDay) * 24 * 60 * 60);
}
