import type { Call, CallOptions, Client, Download } from '../client/client';
import { mayBeTooLarge, NotFoundError } from '../client/errors';
import type { Read } from '../client/reads';
import type { BatchAnswer } from './answers/batch-answer';
import type { Row } from './answers/rows';
import type { AskBatches, GetRow, GetRows } from './asked';
import { askInBatches, type BatchReport } from './batches';
import { Brake } from './brake';
import type { Conditions } from './conditions';
import { CreditGuard } from './credit-guard';
import type { Figures } from './figures';
import { secondsFor, type Forecast } from './forecast';
import { askTogether } from './gathering/gathering';
import type { Terms } from './gathering/load';
import { listingOf, pageOf, readPage, type Listing, type Page } from './listing/pages';
import { readListing } from './listing/reading';
import { Tally } from './tally';

export type { AskBatches, Get, GetRow, GetRows } from './asked';

/** What holds for the requests of a run. */
interface RunConditions extends Conditions {
  readonly tally: Tally;
  /** Called at the last moment before each sending, after the brake. */
  readonly beforeSend: (() => void) | undefined;
  /** Called after each sending, where the run's own tally does not count it. */
  readonly sent: () => void;
  /** See {@link CallOptions.attempts}. */
  readonly attempts: CallOptions['attempts'];
}

/** How one batch is shared with other runs. */
interface Shared extends Required<Pick<AskBatches, 'ask' | 'endpoint' | 'wanted'>> {
  readonly maxBatchSize: number;
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
  private readonly sent: () => void;

  /**
   * @param maxBatchSize the most domains per request that the credential allows.
   * @param given without limits and signal where left out.
   */
  constructor(
    private readonly client: Client,
    private readonly maxBatchSize = Infinity,
    private readonly given: Partial<RunConditions> = {},
  ) {
    this.signal = given.signal;
    this.credits = given.credits ?? new CreditGuard();
    this.brake = given.brake ?? new Brake();
    this.tell = given.tell ?? (() => undefined);
    this.tally = given.tally ?? new Tally(client.reads);
    this.sent = given.sent ?? this.tally.sent;
  }

  /** What this execution has come to so far. */
  get figures(): Figures {
    return this.tally.figuresWith(this.credits);
  }

  /** Companies that batches of this execution have read, and that were not known. */
  get newReads(): readonly Read[] {
    return this.tally.newReads;
  }

  /** A part of this run, which can be stopped by itself. */
  part(): Run {
    return this.with({ brake: new Brake(false, this.brake) });
  }

  /** The same execution, stopped by nothing that came before. */
  anew(): Run {
    return this.with({ brake: new Brake() });
  }

  /** Sends calls that can cost so many credits together, or none where Max Credits is lower. */
  async allOrNone<T>(credits: number, ask: (run: Run) => Promise<T>): Promise<T> {
    return await this.credits.hold(
      credits,
      async (held) => await ask(this.with({ credits: held })),
    );
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
    return await this.watched(
      async () => await this.client.download(call, this.counted(this.options)),
    );
  }

  /** Reads one object. */
  async row({ credits = 0, creditsOf = () => credits, read, ...get }: GetRow): Promise<Row> {
    const call = { ...get, method: 'GET', repeatable: true } as const;
    const send = async () => await this.request({ ...call, read: ({ json }) => read(json) });
    if (credits === 0) return await send();
    const begun = Date.now();
    try {
      const row = await this.credits.spend(credits, send, creditsOf);
      this.tally.found(row, begun);
      return row;
    } catch (error) {
      if (error instanceof NotFoundError) this.tally.notFound();
      throw error;
    }
  }

  /** Reads as many rows as are wanted, page by page, and what the first page says beside them; see {@link listingOf}. */
  async rows(list: GetRows): Promise<Listing> {
    return await listingOf(this.pages(list), list.keepsArrived);
  }

  /** The same as pages, one by one and in order; see {@link readListing}. */
  pages({
    path,
    query,
    atFirst,
    words,
    read = readPage,
    creditsPerRow = 1,
    ...list
  }: GetRows): AsyncGenerator<Page, void, undefined> {
    const pages = readListing(
      {
        ...list,
        creditsPerRow,
        ceilings: this.client.batchCeilings,
        fetch: async (slice, first, options) => {
          const call = {
            path,
            method: 'GET',
            query: { ...query, ...(first ? atFirst : {}), ...slice.query },
            repeatable: true,
            ...(words === undefined ? {} : { words }),
          } as const;
          return await this.send({ ...call, read: (answer) => pageOf(answer, read) }, options);
        },
      },
      this.conditions,
    );
    return this.tally.reading(pages, {
      skip: list.skip,
      isLimited: list.wanted !== undefined,
      // A file of a million companies would push out what is worth remembering.
      isRead: creditsPerRow > 0 && list.streamed !== true,
    });
  }

  /** Asks for any number of domains, each of them once; see {@link askInBatches}. */
  async batches({ ask, batchSize, wanted, creditsOf, ...job }: AskBatches): Promise<BatchReport> {
    const part = this.part();
    const begun = Date.now();
    const maxBatchSize = Math.min(batchSize, this.maxBatchSize);
    const shared =
      wanted === undefined
        ? undefined
        : { ask, maxBatchSize, endpoint: job.endpoint ?? '', wanted };
    const report = await askInBatches(
      {
        ...job,
        creditsOf: creditsOf ?? (() => 0),
        ceilings: this.client.batchCeilings,
        maxBatchSize,
        ask: async (batch, { beforeSend, hasRoom }) => {
          if (shared !== undefined && hasRoom === true) return await part.together(batch, shared);
          return await ask(beforeSend === undefined ? this.anew() : part, batch);
        },
      },
      // Max Credits is no limit for what is free.
      { ...part.conditions, ...(creditsOf === undefined ? { credits: new CreditGuard() } : {}) },
    );
    if (creditsOf !== undefined) {
      this.tally.answered(report, (row) => creditsOf(row) > 0, begun);
    }
    return report;
  }

  /** What calls of {@link batches} would come to, each for the domains of one. Sends nothing. */
  forecast({
    batches,
    batchSize,
    endpoint = '',
  }: Pick<AskBatches, 'batchSize' | 'endpoint'> & {
    readonly batches: ReadonlyArray<AskBatches['domains']>;
  }): Forecast {
    const { batchCeilings, pace, reads } = this.client;
    const size = Math.min(batchSize, this.maxBatchSize, batchCeilings.get(endpoint) ?? Infinity);
    const requests = batches.reduce((sum, { length }) => sum + Math.ceil(length / size), 0);
    const companies = new Set(batches.flat());
    const now = Date.now();
    return {
      companies: companies.size,
      requests,
      seconds: secondsFor(requests, pace),
      readBefore: [...companies].filter((domain) => reads.knows(domain, now)).length,
      knownSince: reads.since,
      limit: this.credits.limit,
    };
  }

  /** Tells which companies were read earlier, as far as that was kept. */
  recall(reads: readonly Read[]): void {
    this.client.reads.recall(reads);
  }

  /** Asks for one batch, in a request that other runs may share. */
  private async together(
    domains: readonly string[],
    { ask, maxBatchSize, endpoint, wanted }: Shared,
  ): Promise<BatchAnswer> {
    const { batchCeilings } = this.client;
    const room = () => Math.min(maxBatchSize, batchCeilings.get(endpoint) ?? Infinity);
    const kind = JSON.stringify([this.client.likeness, maxBatchSize, endpoint, wanted]);
    return await this.watched(
      async () =>
        await askTogether(kind, {
          domains,
          signal: this.signal,
          room,
          mayGo: this.brake.check,
          sent: (part) => {
            this.tally.sent(part);
          },
          tell: (message) => {
            this.client.warn(message);
          },
          send: async (all, terms) => await ask(this.beside(terms), all),
          learn: (size, error) => {
            if (size < room() && mayBeTooLarge(error)) batchCeilings.set(endpoint, size);
          },
        }),
    );
  }

  /** A run like this one for a request that it shares. */
  private beside({ tell, ...terms }: Terms): Run {
    return new Run(this.client.beside(tell), this.maxBatchSize, terms);
  }

  private with(changed: Partial<Conditions>): Run {
    return new Run(this.client, this.maxBatchSize, { ...this.conditions, ...changed });
  }

  private get conditions(): Conditions & Pick<RunConditions, 'tally'> {
    const { signal, credits, brake, tell, tally } = this;
    return { signal, credits, brake, tell, tally };
  }

  private get options(): CallOptions {
    return {
      signal: this.signal,
      beforeSend: () => {
        this.brake.check();
        this.given.beforeSend?.();
      },
      attempts: this.given.attempts,
    };
  }

  private counted(options: CallOptions): CallOptions {
    return { ...options, sent: this.sent };
  }

  private async send<T>(call: Call<T>, options: CallOptions): Promise<T> {
    return await this.watched(async () => await this.client.request(call, this.counted(options)));
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
