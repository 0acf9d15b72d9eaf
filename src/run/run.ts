import type { Call, CallOptions, Client, Download, Query } from '../client/client';
import { mayBeTooLarge, NotFoundError } from '../client/errors';
import type { BatchAnswer } from './answers/batch-answer';
import { pageOf, readPage, type Page } from './answers/page';
import type { Row } from './answers/rows';
import { askInBatches, type BatchJob, type BatchReport } from './batches';
import { Brake, type Conditions } from './brake';
import { CreditGuard } from './credit-guard';
import { forecastOf, Tally, type Figures, type Forecast } from './figures';
import { listingOf, readListing, type Listing, type ListingRequest } from './listing/listing';
import { askTogether } from './sharing/ask-together';
import type { Terms } from './sharing/shared-request';

/** A read of the interface. */
export interface Get {
  /** Below `/v1/`, each part of it encoded; see `requestOf`. */
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
export interface GetRows extends Get, Omit<ListingRequest, 'fetch' | 'ceilings'> {
  /** Takes the rows out of an answer; the standard envelope if left out. */
  readonly read?: (json: unknown) => Page;
  /** Parameters of the first request only. */
  readonly atFirst?: Query;
}

/** Batches of an endpoint that takes a few domains at once. */
export interface AskBatches extends Omit<BatchJob, 'ask' | 'ceilings'> {
  /**
   * Asks for one batch, with the run it is given. Of a shared batch the domains are known only when it
   * is sent, so that the list itself has to go into the body of the request.
   */
  readonly ask: (run: Run, batch: readonly string[]) => ReturnType<BatchJob['ask']>;
  /**
   * What is wanted of each domain, the same text for the same. Runs of which it is the same share
   * requests where one has room; without, a run's requests are its own.
   */
  readonly wanted?: string;
}

/** What takes batches. */
type Endpoint = Pick<AskBatches, 'batchSize' | 'endpoint'>;

/** What holds for the requests of a run. */
interface RunConditions extends Conditions, Pick<CallOptions, 'isBrief'> {
  readonly tally: Tally;
  /** Called at the last moment before each sending, after the brake. */
  readonly beforeSend: () => void;
  /** See {@link CallOptions.sent}; where the run's own tally does not count it. */
  readonly sent: NonNullable<CallOptions['sent']>;
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
    this.credits = given.credits ?? new CreditGuard(undefined, client.creditCap);
    this.brake = given.brake ?? new Brake();
    this.tell = given.tell ?? (() => undefined);
    this.tally = given.tally ?? new Tally(client.reads);
  }

  /** What this execution has come to so far. */
  get figures(): Figures {
    return this.tally.figuresWith(this.credits);
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
  async request<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
    return await this.watched(
      async () => await this.client.request(call, { ...this.options, ...options }),
    );
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
  pages(given: GetRows): AsyncGenerator<Page, void, undefined> {
    const { path, query, atFirst, words, read = readPage, ...list } = given;
    const get = { method: 'GET', path, repeatable: true, ...(words && { words }) } as const;
    const pages = readListing(
      {
        ...list,
        ceilings: this.client.batchCeilings,
        fetch: async (slice, first, options) =>
          await this.request(
            {
              ...get,
              query: { ...query, ...(first ? atFirst : {}), ...slice.query },
              read: (answer) => pageOf(answer, read),
            },
            options,
          ),
      },
      this,
    );
    return this.tally.reading(pages, {
      skip: list.skip ?? 0,
      isLimited: list.wanted !== undefined,
      // A file of a million companies would push out what is worth remembering.
      isRead: list.creditsPerRow !== 0 && list.streamed !== true,
    });
  }

  /** Asks for any number of domains, each of them once; see {@link askInBatches}. */
  async batches(given: AskBatches): Promise<BatchReport> {
    const { ask, wanted, creditsOf } = given;
    const part = this.part();
    const begun = Date.now();
    const report = await askInBatches(
      {
        ...given,
        batchSize: Math.min(given.batchSize, this.maxBatchSize),
        ceilings: this.client.batchCeilings,
        ask: async (batch, { beforeSend, hasRoom, isBrief }) => {
          if (wanted !== undefined && hasRoom === true) return await part.together(batch, given);
          return await ask(beforeSend === undefined ? this.anew() : part.with({ isBrief }), batch);
        },
      },
      part,
    );
    if (creditsOf !== undefined) this.tally.answered(report, begun);
    return report;
  }

  /**
   * What calls of {@link batches} would come to, each for the domains of one, and searches for a company
   * each, which are followed by batches as well. Sends nothing.
   */
  forecast({
    batches,
    searches = 0,
    ...job
  }: Endpoint & {
    readonly batches: ReadonlyArray<readonly string[]>;
    readonly searches?: number;
  }): Forecast {
    const room = this.roomOf(job);
    const requests = batches.reduce((sum, { length }) => sum + Math.ceil(length / room), 0);
    const ofSearches = searches + Math.ceil(searches / room);
    const companies = new Set(batches.flat());
    const forecast = forecastOf(this.client, requests + ofSearches, companies, this.credits.limit);
    return { ...forecast, searches };
  }

  /** Asks for one batch, in a request that other runs may share. */
  private async together(domains: readonly string[], job: AskBatches): Promise<BatchAnswer> {
    const { endpoint = '', batchSize, wanted } = job;
    const room = () => this.roomOf(job);
    const most = Math.min(batchSize, this.maxBatchSize);
    return await this.watched(
      async () =>
        await askTogether(JSON.stringify([this.client.likeness, most, endpoint, wanted]), {
          domains,
          signal: this.signal,
          room,
          mayGo: this.brake.check,
          sent: this.tally.sent,
          tell: (message) => {
            this.client.warn(message);
          },
          send: async (all, terms) => await job.ask(this.beside(terms), all),
          learn: (size, error) => {
            if (size < room() && mayBeTooLarge(error))
              this.client.batchCeilings.set(endpoint, size);
          },
        }),
    );
  }

  /** Domains that one request may hold, as far as that is known now. */
  private roomOf({ batchSize, endpoint = '' }: Endpoint): number {
    const learned = this.client.batchCeilings.get(endpoint) ?? Infinity;
    return Math.min(batchSize, this.maxBatchSize, learned);
  }

  /** A run like this one for a request that it shares. */
  private beside({ tell, ...terms }: Terms): Run {
    return new Run(this.client.beside(tell), this.maxBatchSize, terms);
  }

  private with(changed: Partial<RunConditions>): Run {
    const { signal, credits, brake, tell, tally } = this;
    const conditions = { signal, credits, brake, tell, tally, ...changed };
    return new Run(this.client, this.maxBatchSize, conditions);
  }

  private get options(): CallOptions {
    const { beforeSend, sent = this.tally.sent, isBrief } = this.given;
    return {
      signal: this.signal,
      beforeSend: () => {
        this.brake.check();
        beforeSend?.();
      },
      sent,
      isBrief,
    };
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
