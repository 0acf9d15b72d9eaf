import type { Call, CallOptions, Client, Query } from '../client/client';
import { NotFoundError, ServiceError } from '../client/errors';
import type { BatchReport, BatchResponse } from './responses/batch-response';
import { toPage, readPage, type Page } from './responses/page';
import { ResponseChecks, type Checked, type TypeMismatches } from './responses/response-checks';
import type { Row } from '../values/json';
import { requestInBatches, withEarlierFailure, type BatchJob } from './batches';
import { CircuitBreaker, type RunGuards, CreditBudget } from './run-guards';
import { RunStatsCounter, type RunStats } from './run-stats';
import { ListReader } from './listing/list-reader';
import type { ListingRequest } from './listing/listing';
import { lookUpCoalesced, SharedRequestError, type CoalescedSendOptions } from './coalescing';
import { LIMITS } from '../input/limits';

interface ReadSpec extends Checked {
  /** Path below `/v1/` with encoded segments; see `buildRequest`. */
  readonly path: string;
  readonly query?: Query;
  readonly errorTexts?: Call<unknown>['errorTexts'];
}

interface RowSpec extends ReadSpec {
  /** Maximum credits of the read; 0 if omitted. */
  readonly credits?: number;
  /** Returns the maximum credits of a response; `credits` if omitted. */
  readonly creditsOf?: (row: Row) => number;
  readonly read: (json: unknown) => Row;
}

interface RowsSpec extends ReadSpec, Omit<ListingRequest, 'fetch'> {
  /** The standard envelope if omitted. */
  readonly read?: (json: unknown) => Page;
  readonly atFirst?: Query;
  /** Whether the service can take minutes for the first request. */
  readonly isFirstSlow?: boolean;
}

export interface BatchesSpec extends Omit<BatchJob, 'request' | 'ceilings' | 'batchSize'> {
  /** The request body needs the array itself: the domains of a shared batch are known only when it is sent. */
  readonly request: (run: Run, batch: readonly string[]) => ReturnType<BatchJob['request']>;
  /** Identifies the requested data per domain: runs with the same text share requests that have room. */
  readonly wanted?: string;
}

/** Settings shared by all requests of a run. `beforeSend` runs after the circuit breaker. */
interface RunConditions extends RunGuards, Pick<CallOptions, 'beforeSend' | 'isBrief'> {
  readonly sent: (times: number) => void;
  readonly counter: RunStatsCounter;
  readonly checks: ResponseChecks;
}

/**
 * One node execution: its client, signal, credits and circuit breaker. All its requests go through this
 * class, so that stopping the run stops everything, and nothing is charged twice or beyond Max Credits.
 */
export class Run {
  readonly signal: AbortSignal | undefined;
  readonly credits: CreditBudget;
  readonly breaker: CircuitBreaker;
  readonly warn: (message: string) => void;
  private readonly conditions: RunConditions;

  constructor(
    private readonly client: Client,
    given: Partial<RunConditions> = {},
  ) {
    const counter = new RunStatsCounter();
    this.conditions = {
      signal: undefined,
      credits: new CreditBudget(),
      breaker: new CircuitBreaker(),
      warn: () => undefined,
      counter,
      sent: counter.recordRequest,
      checks: new ResponseChecks(),
      ...given,
    };
    this.signal = this.conditions.signal;
    this.credits = this.conditions.credits;
    this.breaker = this.conditions.breaker;
    this.warn = this.conditions.warn;
  }

  get stats(): RunStats {
    return this.conditions.counter.toRunStats(this.credits);
  }

  /** Values of the responses so far that have another type than the API spec says. */
  get mismatches(): TypeMismatches | undefined {
    return this.conditions.checks.mismatches;
  }

  /** Counts companies that were looked up by other requests than {@link readRow}. */
  countLookups(lookedUp: number, tracked: number): void {
    this.conditions.counter.recordLookups(lookedUp, tracked);
  }

  withNewBreaker(): Run {
    return this.copyWith({ breaker: new CircuitBreaker() });
  }

  /** @throws {ServiceError}; {@link NotAttemptedError} if the run was stopped before the call was sent. */
  async request<T>(call: Call<T> & Checked, options: CallOptions = {}): Promise<T> {
    const checked = this.conditions.checks.toCheckedCall(call);
    return await this.recordOutcome(
      async () => await this.client.request(checked, { ...this.options, ...options }),
    );
  }

  async readRow({ credits = 0, creditsOf = () => credits, read, ...get }: RowSpec): Promise<Row> {
    const call = { ...get, method: 'GET', repeatable: true } as const;
    const send = async () => await this.request({ ...call, read: ({ json }) => read(json) });
    if (credits === 0) return await send();
    try {
      const row = await this.credits.sendWithinBudget(credits, send, creditsOf);
      this.countLookups(1, 1);
      return row;
    } catch (error) {
      if (error instanceof NotFoundError) this.countLookups(1, 0);
      throw error;
    }
  }

  readPages(given: RowsSpec): AsyncGenerator<Page, void, undefined> {
    const { path, query, atFirst, isFirstSlow = false, read = readPage } = given;
    const { errorTexts, response } = given;
    const reader = new ListReader(
      {
        ...given,
        fetch: async (range, first, options) =>
          await this.request(
            {
              method: 'GET',
              path,
              query: { ...query, ...(first ? atFirst : {}), ...range.query },
              repeatable: true,
              isSlow: first && isFirstSlow,
              errorTexts,
              response,
              read: (page) => toPage(page, read),
            },
            options,
          ),
      },
      this,
    );
    return this.conditions.counter.countPages(reader.pages(), {
      skip: given.skip ?? 0,
      isLimited: given.wanted !== undefined,
    });
  }

  async requestBatches(given: BatchesSpec): Promise<BatchReport> {
    const { request, wanted } = given;
    const { counter } = this.conditions;
    let requests = 0;
    const part = this.copyWith({
      breaker: new CircuitBreaker(false, this.breaker),
      sent: (times) => {
        requests += times;
        counter.recordRequest(times);
      },
    });
    const outcomes = await requestInBatches(
      {
        ...given,
        batchSize: LIMITS.batchSize,
        ceilings: this.client.key.batchCeilings,
        request: async (batch, { hasRoom, ...terms }) =>
          wanted !== undefined && hasRoom === true
            ? await part.lookUpCoalesced(batch, given)
            : await request(part.copyWith(terms), batch),
      },
      part,
    );
    return { ...outcomes, requests };
  }

  /** Looks up one batch in a request that other runs can share; alone if that one fails. */
  private async lookUpCoalesced(
    domains: readonly string[],
    job: BatchesSpec,
  ): Promise<BatchResponse> {
    const { endpoint = '', wanted } = job;
    const { batchCeilings } = this.client.key;
    const kind = JSON.stringify([this.client.coalescingKey, endpoint, wanted]);
    const lookup = {
      domains,
      signal: this.signal,
      capacity: () => Math.min(LIMITS.batchSize, batchCeilings.get(endpoint) ?? Infinity),
      assertMaySend: this.breaker.assertClosed,
      sent: this.conditions.sent,
      warn: (message: string) => {
        this.client.warn(message);
      },
      send: async (all: readonly string[], { warn, ...terms }: CoalescedSendOptions) => {
        const client = this.client.forkForSharedRequest(warn);
        const { checks } = this.conditions;
        return await job.request(new Run(client, { ...terms, checks }), all);
      },
    };
    try {
      return await this.recordOutcome(async () => await lookUpCoalesced(kind, lookup));
    } catch (error) {
      if (!(error instanceof SharedRequestError)) throw error;
      return await job.request(this, domains).catch((failure: unknown) => {
        throw failure instanceof ServiceError ? withEarlierFailure(failure, error.cause) : failure;
      });
    }
  }

  private copyWith(changed: Partial<RunConditions>): Run {
    return new Run(this.client, { ...this.conditions, ...changed });
  }

  private get options(): CallOptions {
    const { signal, breaker, beforeSend, sent, isBrief } = this.conditions;
    return {
      signal,
      beforeSend: (isUnconfirmed) => {
        breaker.assertClosed();
        beforeSend?.(isUnconfirmed);
      },
      sent,
      isBrief,
    };
  }

  private async recordOutcome<T>(send: () => Promise<T>): Promise<T> {
    try {
      const result = await send();
      this.breaker.recordSuccess();
      return result;
    } catch (error) {
      this.breaker.recordFailure(error);
      throw error;
    }
  }
}
