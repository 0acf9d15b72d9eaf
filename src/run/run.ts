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

/** A read of the API. */
export interface Get {
  /** Path below `/v1/` with encoded segments; see `requestOf`. */
  readonly path: string;
  readonly query?: Query;
  readonly words?: Call<unknown>['words'];
}

/** A read that returns one object. */
export interface GetRow extends Get {
  /** Maximum credits of the read; 0 if omitted. */
  readonly credits?: number;
  /** Returns the maximum credits of a response; `credits` if omitted. */
  readonly creditsOf?: (row: Row) => number;
  /** Reads the object from the response. */
  readonly read: (json: unknown) => Row;
}

/** A read that returns pages. */
export interface GetRows extends Get, Omit<ListingRequest, 'fetch' | 'ceilings'> {
  /** Reads the page from a response; expects the standard envelope if omitted. */
  readonly read?: (json: unknown) => Page;
  /** Query parameters of the first request only. */
  readonly atFirst?: Query;
  /** Returns whether to pass a row on; all rows if omitted. */
  readonly keeps?: ((row: Row) => boolean) | undefined;
}

/** Batches of an endpoint that accepts several domains per request. */
export interface AskBatches extends Omit<BatchJob, 'ask' | 'ceilings'> {
  /**
   * Requests one batch with the given run. The domains of a shared batch are known only when it is sent,
   * so the array itself has to be part of the request body.
   */
  readonly ask: (run: Run, batch: readonly string[]) => ReturnType<BatchJob['ask']>;
  /**
   * Identifies the requested data per domain. Runs with the same text share requests that have room;
   * without it, a run does not share its requests.
   */
  readonly wanted?: string;
}

/** An endpoint that accepts batches. */
type Endpoint = Pick<AskBatches, 'batchSize' | 'endpoint'>;

/** Settings shared by all requests of a run. */
interface RunConditions extends Conditions, Pick<CallOptions, 'isBrief'> {
  readonly tally: Tally;
  /** Called immediately before each attempt, after the circuit breaker. */
  readonly beforeSend: () => void;
  /** See {@link CallOptions.sent}; replaces the run's own counter. */
  readonly sent: NonNullable<CallOptions['sent']>;
}

/**
 * One node execution: its client, signal, credits and circuit breaker. All its requests go through this
 * class, so that stopping the run stops everything, and nothing is paid twice or beyond Max Credits.
 */
export class Run {
  readonly signal: AbortSignal | undefined;
  readonly credits: CreditGuard;
  readonly brake: Brake;
  readonly tell: (message: string) => void;
  private readonly tally: Tally;

  /**
   * @param maxBatchSize Maximum domains per request that the credential allows.
   * @param given Settings; without limits and signal if omitted.
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

  /** Statistics of this execution so far. */
  get figures(): Figures {
    return this.tally.figuresWith(this.credits);
  }

  /** Returns a part of this run that can be stopped separately. */
  part(): Run {
    return this.with({ brake: new Brake(false, this.brake) });
  }

  /** Returns the same execution with a new circuit breaker, so that earlier failures do not stop it. */
  anew(): Run {
    return this.with({ brake: new Brake() });
  }

  /** Sends calls that cost up to `credits` together, or none of them if Max Credits is lower. */
  async allOrNone<T>(credits: number, ask: (run: Run) => Promise<T>): Promise<T> {
    return await this.credits.hold(
      credits,
      async (held) => await ask(this.with({ credits: held })),
    );
  }

  /**
   * Sends one call, see {@link Client.request}.
   *
   * @throws {ServiceError} of the subclass that states what happened; {@link NotAttemptedError} if the run
   * was stopped before the call was sent.
   */
  async request<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
    return await this.watched(
      async () => await this.client.request(call, { ...this.options, ...options }),
    );
  }

  /** Sends one call whose response is read as it arrives, see {@link Client.download}. */
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

  /** Reads the requested rows page by page, and the other fields of the first page; see {@link listingOf}. */
  async rows(list: GetRows): Promise<Listing> {
    return await listingOf(this.pages(list), list.keepsArrived);
  }

  /** Reads the requested rows as pages, one by one and in order; see {@link readListing}. */
  pages(given: GetRows): AsyncGenerator<Page, void, undefined> {
    const { path, query, atFirst, words, keeps, read = readPage, ...list } = given;
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
      keeps,
      // A file with a million companies would evict the entries that are worth remembering.
      isRead: list.creditsPerRow !== 0 && list.streamed !== true,
    });
  }

  /** Looks up any number of domains, each of them once; see {@link askInBatches}. */
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
   * Forecasts the cost of calls of {@link batches}, one per list of domains, and of searches for one company
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

  /** Looks up one batch in a request that other runs can share. */
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

  /** Returns the currently known maximum of domains per request. */
  private roomOf({ batchSize, endpoint = '' }: Endpoint): number {
    const learned = this.client.batchCeilings.get(endpoint) ?? Infinity;
    return Math.min(batchSize, this.maxBatchSize, learned);
  }

  /** Returns a run with the same settings for a shared request. */
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

  /** Runs `send` and reports its result to the circuit breaker, which ends the run if all other requests would fail, too. */
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
