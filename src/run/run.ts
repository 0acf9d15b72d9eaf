import type { Call, CallOptions, Client, Download, LongAnswer, Query } from '../client/client';
import type { BatchAnswer } from './answers/batch-answer';
import type { Row } from './answers/rows';
import { askInBatches, type BatchJob, type BatchReport } from './batches';
import { Brake } from './brake';
import type { Conditions, Tally } from './conditions';
import { CreditGuard } from './credit-guard';
import { askTogether } from './gathering/gathering';
import type { Terms } from './gathering/load';
import {
  listingOf,
  readLongPage,
  readPage,
  type Listing,
  type Page,
  type RowRange,
} from './listing/pages';
import type { IdOf } from './listing/marks';
import type { Paging } from './listing/paging';
import { readListing } from './listing/reading';
import { mayBeTooLarge } from './too-large';

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
export interface AskBatches extends Omit<BatchJob, 'ask' | 'ceilings' | 'maxBatchSize'> {
  /** The endpoint's largest batch (interface: Size and pagination bounds). */
  readonly batchSize: number;
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

/** What holds for the requests of a run. */
interface RunConditions extends Conditions {
  /** Called at the last moment before each sending, after the brake. */
  readonly beforeSend: (() => void) | undefined;
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
  readonly tally: Tally;
  private readonly beforeSend: (() => void) | undefined;

  /**
   * @param maxBatchSize the most domains per request that the credential allows.
   * @param conditions without limits and signal where left out.
   */
  constructor(
    private readonly client: Client,
    private readonly maxBatchSize = Infinity,
    conditions: Partial<RunConditions> = {},
  ) {
    this.signal = conditions.signal;
    this.credits = conditions.credits ?? new CreditGuard(undefined);
    this.brake = conditions.brake ?? new Brake();
    this.tell = conditions.tell ?? (() => undefined);
    this.tally = conditions.tally ?? { requests: 0 };
    this.beforeSend = conditions.beforeSend;
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
    return await this.credits.spend(
      credits,
      async () => await this.request({ ...call, read: ({ json }) => read(json) }),
      creditsOf,
    );
  }

  /** Reads as many rows as are wanted, page by page, and what the first page says beside them. */
  async rows(list: GetRows): Promise<Listing> {
    return await listingOf(this.pages(list));
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
    return readListing(
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
          if (list.streamed !== true) {
            return await this.send({ ...call, read: ({ json }) => read(json) }, options);
          }
          const readLong = (answer: LongAnswer) => readLongPage(answer, read, list.idOf);
          return await this.watched(
            async () => await this.client.requestLong({ ...call, read: readLong }, options),
          );
        },
      },
      this.conditions,
    );
  }

  /** Asks for any number of domains, each of them once; see {@link askInBatches}. */
  async batches({ ask, batchSize, wanted, ...job }: AskBatches): Promise<BatchReport> {
    const part = this.part();
    const maxBatchSize = Math.min(batchSize, this.maxBatchSize);
    const shared =
      wanted === undefined
        ? undefined
        : { ask, maxBatchSize, endpoint: job.endpoint ?? '', wanted };
    return await askInBatches(
      {
        ...job,
        ceilings: this.client.batchCeilings,
        maxBatchSize,
        ask: async (batch, { beforeSend, hasRoom }) => {
          if (shared !== undefined && hasRoom === true) return await part.together(batch, shared);
          return await ask(beforeSend === undefined ? this.anew() : part, batch);
        },
      },
      part.conditions,
    );
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
  private beside({ signal, beforeSend, tell }: Terms): Run {
    return new Run(this.client.beside(tell), this.maxBatchSize, { signal, beforeSend });
  }

  private get conditions(): Conditions {
    const { signal, credits, brake, tell, tally } = this;
    return { signal, credits, brake, tell, tally };
  }

  private get options(): CallOptions {
    return {
      signal: this.signal,
      beforeSend: () => {
        this.brake.check();
        this.beforeSend?.();
      },
    };
  }

  private async send<T>(call: Call<T>, options: CallOptions): Promise<T> {
    return await this.watched(async () => await this.client.request(call, options));
  }

  /** What every other request would meet as well ends the run. */
  private async watched<T>(send: () => Promise<T>): Promise<T> {
    this.tally.requests += 1;
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
