import type { Read, Reads } from '../client/reads';
import { domainKey } from '../input/hosts';
import type { Row } from './answers/rows';
import type { BatchReport } from './batches';
import type { CreditGuard } from './credit-guard';
import { hundredths, NO_FIGURES, type Counts, type Figures } from './figures';
import type { Page } from './listing/pages';

/** Counts what one node execution sends and gets, and notes which companies it has read. */
export class Tally {
  /** Companies that batches of this execution have read, and that were not known. */
  readonly newReads: Read[] = [];
  private readonly counts: Counts = { ...NO_FIGURES };

  constructor(private readonly reads: Reads) {}

  /** What the execution has come to so far. */
  figuresWith({ atMost: creditsAtMost, unanswered }: CreditGuard): Figures {
    const requests = hundredths(this.counts.requests);
    return { ...this.counts, requests, creditsAtMost, unanswered };
  }

  /** @param part of a request that was shared. */
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

  /** Passes the pages of a list on. */
  async *reading(
    pages: AsyncIterable<Page>,
    {
      skip = 0,
      isLimited,
      isRead,
    }: {
      readonly skip: number | undefined;
      /** Whether a limit may leave rows out. */
      readonly isLimited: boolean;
      /** Whether its companies are worth remembering. */
      readonly isRead: boolean;
    },
  ): AsyncGenerator<Page, void, undefined> {
    const begun = Date.now();
    let end = skip;
    let total: number | undefined;
    for await (const page of pages) {
      end += page.rows.length;
      total = page.pagination.totalResults ?? total;
      this.counts.rows += page.rows.length;
      if (isRead) this.noteRows(page.rows, begun);
      yield page;
    }
    if (isLimited) this.counts.left += Math.max(0, (total ?? end) - end);
  }

  /** @param isCharged whether a row may have cost something. */
  answered({ outcomes }: BatchReport, isCharged: (row: Row) => boolean, begun: number): void {
    const found: string[] = [];
    for (const [domain, outcome] of outcomes) {
      if (outcome.kind === 'failed') continue;
      this.counts.asked += 1;
      if (outcome.kind === 'row' && isCharged(outcome.row)) found.push(domain);
    }
    this.counts.found += found.length;
    // One by one: more arguments than a call can have would end a run that is paid for.
    for (const read of this.note(found, begun)) this.newReads.push(read);
  }

  private noteRows(rows: Iterable<Row>, begun: number): void {
    const domains = [...rows]
      .map((row) => row.primary_domain ?? row.partner_domain)
      .filter((domain) => typeof domain === 'string');
    this.note(domains.map(domainKey), begun);
  }

  /** Companies that came. */
  private note(domains: readonly string[], begun: number): Read[] {
    const { news, known } = this.reads.note(domains, begun);
    this.counts.readBefore += known;
    return news;
  }
}
