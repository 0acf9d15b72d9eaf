import type { Call, CallOptions, Client, Download, Query } from '../client/client';
import { NotFoundError } from '../client/errors';
import type { Read } from '../client/reads';
import { domainKey } from '../domains/domain-key';
import type { Row } from './answers/rows';
import { askInBatches, type BatchJob, type BatchReport } from './batches';
import { Brake } from './brake';
import type { Conditions } from './conditions';
import { CreditGuard } from './credit-guard';
import { newTally, type Figures, type Tally } from './figures';
import { secondsFor, type Forecast } from './forecast';
import type { IdOf } from './listing/distinct-rows';
import { listingOf, readPage, type Listing, type Page, type RowRange } from './listing/pages';
import type { Paging } from './listing/paging';
import { readListing } from './listing/reading';

/** A read of the interface. */
export interface Get {
  /** Built with the `path` template. */
  readonly path: string;
  readonly query?: Query;
  readonly words?: Call<unknown>['words'];
}

/** A read that is answered with one object. */
export interface GetRow extends Get {
  /** Credits it can cost; none if left out. */
  readonly credits?: number;
  /** Credits an answer cost at most; `credits` if left out. */
  readonly creditsOf?: (row: Row) => number;
  /** Takes the object out of the answer. */
  readonly read: (json: unknown) => Row;
}

/** A read that is answered in pages. */
export interface GetRows extends Get, RowRange {
  /** How the endpoint has pages. */
  readonly paging: Paging;
  /** 0 where reading is free; 1 if left out. */
  readonly creditsPerRow?: number;
  /** By what rows are told apart; without, they are passed on as they come. */
  readonly idOf?: IdOf;
  /** Takes the rows out of an answer; the standard envelope if left out. */
  readonly read?: (json: unknown) => Page;
  /** Parameters of the first request only. */
  readonly atFirst?: Query;
  /** Under this name page sizes are remembered that the service refused. */
  readonly endpoint?: string;
}

/** Batches of an endpoint that takes a few domains at once. */
export interface AskBatches extends Omit<
  BatchJob,
  'ask' | 'ceilings' | 'creditsOf' | 'maxBatchSize'
> {
  /** Credits a row costs at most (interface: Credits); left out where nothing is charged. */
  readonly creditsOf?: BatchJob['creditsOf'];
  /** The endpoint's largest batch (interface: Size and pagination bounds). */
  readonly batchSize: number;
  /** Asks for one batch, with the run it is given. */
  readonly ask: (run: Run, batch: readonly string[]) => ReturnType<BatchJob['ask']>;
}

/**
 * One node execution: its client, its signal, its credits and its brake. All that is sent for it goes
 * through here, so that what stops the run stops everything, and nothing is paid for twice or beyond
 * Max Credits.
 */
export class Run {
  readonly signal: AbortSignal | undefined;
  readonly credits: CreditGuard;
  readonly brake: Brake;
  readonly tell: (message: string) => void;
  private readonly tally: Tally;
  /** Companies that batches of this execution have read, and that were not known. */
  readonly newReads: Read[] = [];

  /**
   * @param maxBatchSize the most domains per request that the credential allows.
   * @param conditions without limits and signal where left out.
   */
  constructor(
    private readonly client: Client,
    private readonly maxBatchSize = Infinity,
    conditions: Partial<Conditions> & { readonly tally?: Tally } = {},
  ) {
    this.signal = conditions.signal;
    this.credits = conditions.credits ?? new CreditGuard();
    this.brake = conditions.brake ?? new Brake();
    this.tell = conditions.tell ?? (() => undefined);
    this.tally = conditions.tally ?? newTally();
  }

  /** What this execution has come to so far. */
  get figures(): Figures {
    const { atMost: creditsAtMost, unanswered } = this.credits;
    return { ...this.tally, requests: this.client.requests, creditsAtMost, unanswered };
  }

  /** A part of this run, which can be stopped by itself. */
  part(): Run {
    return new Run(this.client, this.maxBatchSize, {
      ...this.conditions,
      brake: new Brake(false, this.brake),
    });
  }

  /** The same execution, stopped by nothing that came before. */
  anew(): Run {
    return new Run(this.client, this.maxBatchSize, { ...this.conditions, brake: new Brake() });
  }

  /**
   * Sends one call, see {@link Client.request}.
   *
   * @throws {ServiceError} of the kind that says what happened; {@link NotAttemptedError} when the run
   * was stopped before it was its turn.
   */
  async request<T>(call: Call<T>): Promise<T> {
    return await this.send(call, this.options);
  }

  /** The same for an answer that is read as it arrives, see {@link Client.download}. */
  async download<T>(call: Download<T>): Promise<T> {
    return await this.watched(async () => await this.client.download(call, this.options));
  }

  /** Reads one object. */
  async row({ credits = 0, creditsOf = () => credits, read, ...get }: GetRow): Promise<Row> {
    const call = { ...get, method: 'GET', repeatable: true } as const;
    const send = async () => await this.request({ ...call, read: ({ json }) => read(json) });
    if (credits === 0) return await send();
    const begun = Date.now();
    try {
      const row = await this.credits.spend(credits, send, creditsOf);
      this.tally.asked += 1;
      this.tally.found += 1;
      this.noteReads([row], begun);
      return row;
    } catch (error) {
      if (error instanceof NotFoundError) this.tally.asked += 1;
      throw error;
    }
  }

  /** Reads as many rows as are wanted, page by page, and what the first page says beside them. */
  async rows(list: GetRows): Promise<Listing> {
    return await listingOf(this.pages(list));
  }

  /** The same as pages, one by one and in order; see {@link readListing}. */
  async *pages({
    path,
    query,
    atFirst,
    words,
    read = readPage,
    creditsPerRow = 1,
    ...list
  }: GetRows): AsyncGenerator<Page, void, undefined> {
    const begun = Date.now();
    let end = list.skip ?? 0;
    let total: number | undefined;
    const pages = readListing(
      {
        ...list,
        creditsPerRow,
        ceilings: this.client.batchCeilings,
        fetch: async (slice, first, options) =>
          await this.send(
            {
              path,
              method: 'GET',
              query: { ...query, ...(first ? atFirst : {}), ...slice.query },
              repeatable: true,
              ...(words === undefined ? {} : { words }),
              read: ({ json }) => read(json),
            },
            options,
          ),
      },
      this.conditions,
    );
    for await (const page of pages) {
      end += page.rows.length;
      total = page.pagination.totalResults ?? total;
      this.tally.rows += page.rows.length;
      // A file of a million companies would push out what is worth remembering.
      if (creditsPerRow > 0 && list.streamed !== true) this.noteReads(page.rows, begun);
      yield page;
    }
    if (list.wanted !== undefined) this.tally.left += Math.max(0, (total ?? end) - end);
  }

  /** Asks for any number of domains, each of them once; see {@link askInBatches}. */
  async batches({ ask, batchSize, creditsOf, ...job }: AskBatches): Promise<BatchReport> {
    const part = this.part();
    const begun = Date.now();
    const report = await askInBatches(
      {
        ...job,
        creditsOf: creditsOf ?? (() => 0),
        ceilings: this.client.batchCeilings,
        maxBatchSize: Math.min(batchSize, this.maxBatchSize),
        ask: async (batch, { beforeSend }) =>
          await ask(beforeSend === undefined ? this.anew() : part, batch),
      },
      // Max Credits is no limit for what is free.
      { ...part.conditions, ...(creditsOf === undefined ? { credits: new CreditGuard() } : {}) },
    );
    if (creditsOf === undefined) return report;
    const found = [...report.outcomes].filter(
      ([, outcome]) => outcome.kind === 'row' && creditsOf(outcome.row) > 0,
    );
    const failed = [...report.outcomes.values()].filter(({ kind }) => kind === 'failed');
    this.tally.asked += report.outcomes.size - failed.length;
    this.tally.found += found.length;
    const news = this.note(
      found.map(([domain]) => domain),
      begun,
    );
    this.newReads.push(...news);
    return report;
  }

  /** What {@link batches} would come to for so many domains. Sends nothing. */
  forecast({
    domains,
    batchSize,
    endpoint = '',
  }: Pick<AskBatches, 'batchSize' | 'domains' | 'endpoint'>): Forecast {
    const { batchCeilings, pace, reads } = this.client;
    const size = Math.min(batchSize, this.maxBatchSize, batchCeilings.get(endpoint) ?? Infinity);
    const requests = Math.ceil(domains.length / size);
    const now = Date.now();
    return {
      requests,
      seconds: secondsFor(requests, pace),
      readBefore: domains.filter((domain) => reads.knows(domain, now)).length,
      knownSince: reads.since,
      limit: this.credits.limit,
    };
  }

  /** Tells which companies were read earlier, as far as that was kept. */
  recall(reads: readonly Read[]): void {
    this.client.reads.recall(reads);
  }

  private noteReads(rows: readonly Row[], begun: number): void {
    this.note(
      rows
        .map((row) => row.primary_domain ?? row.partner_domain)
        .filter((domain) => typeof domain === 'string')
        .map(domainKey),
      begun,
    );
  }

  /** Companies that came. */
  private note(domains: readonly string[], begun: number): Read[] {
    const news = this.client.reads.note(domains, begun);
    this.tally.readBefore += new Set(domains).size - news.length;
    return news;
  }

  private get conditions(): Conditions & { readonly tally: Tally } {
    const { signal, credits, brake, tell, tally } = this;
    return { signal, credits, brake, tell, tally };
  }

  private get options(): CallOptions {
    return { signal: this.signal, beforeSend: this.brake.check };
  }

  private async send<T>(call: Call<T>, options: CallOptions): Promise<T> {
    return await this.watched(async () => await this.client.request(call, options));
  }

  /** What every other request would meet as well ends the run. */
  private async watched<T>(send: () => Promise<T>): Promise<T> {
    try {
      const answer = await send();
      this.brake.answered();
      return answer;
    } catch (error) {
      this.brake.met(error);
      throw error;
    }
  }
}
