import type { CallOptions } from '../client/client';
import {
  CancelledError,
  isPossiblyTooLarge,
  NotAttemptedError,
  ServiceError,
} from '../client/errors';
import {
  afterFailure,
  splitAndRetry,
  chunk,
  isServiceFault,
  isRefusingAll,
  type CoveredSlices,
  type NextStep,
  type SplitProgress,
} from './after-failure';
import type { BatchResponse } from './responses/batch-response';
import type { CircuitBreaker, RunGuards } from './circuit-breaker';
import { CreditBudget } from './credit-budget';
import { OutcomeCollector, type BatchReport, type RowPolicy } from './outcomes';

export type { BatchReport, DomainOutcome } from './outcomes';

/** Maximum batches of a run in flight; each can contain 100 companies. */
export const BATCHES_AT_ONCE = 20;

/** Size of the first batch if credits are limited and the price of a row is unknown. */
const ROWS_TO_LEARN_COST = 10;

/** Options of one batch request. */
export interface BatchCallOptions extends CallOptions {
  /** True if the batch is the run's last one and has room for domains of other runs. */
  readonly hasRoom?: boolean;
}

export interface BatchJob extends RowPolicy {
  /** Normalized, distinct domains. */
  readonly domains: readonly string[];
  /** Requests one batch; without `beforeSend`, it is sent even if the run was stopped. */
  readonly request: (batch: readonly string[], options: BatchCallOptions) => Promise<BatchResponse>;
  /** Key in `ceilings` for the learned batch size limit; without it, the limit applies to this run only. */
  readonly endpoint?: string;
  readonly ceilings: Map<string, number>;
  /** Maximum domains per batch (API spec: Size and pagination bounds). */
  readonly batchSize: number;
  /** True to spend the remaining credits after a 402 on as many rows of that batch as they cover. */
  readonly spendRemaining?: boolean;
  /** Maximum batches in flight; {@link BATCHES_AT_ONCE} if omitted. */
  readonly atOnce?: number;
  /** True if a row can cost more than 1 credit and only the response shows how many. */
  readonly costsOpen?: boolean;
}

/**
 * Looks up any number of domains in batches, several in parallel, each domain once.
 *
 * A failing domain does not affect the others: {@link afterFailure} decides how its batch is split. After
 * a failure that every other batch would have too, such as a 402, nothing more is sent. A batch size that
 * succeeds after a larger one was rejected is stored for the key (API spec: Companies, rule 2).
 *
 * @throws {CancelledError} if the signal fires.
 */
export async function requestInBatches(job: BatchJob, conditions: RunGuards): Promise<BatchReport> {
  return await new BatchRun(job, conditions).start();
}

/** Why a batch is split, and the size of its parts. */
type Failed = Extract<NextStep, { readonly size: number }> & { readonly error: ServiceError };

/** A part of a batch, and its failure if it failed. */
interface BatchPart {
  readonly domains: readonly string[];
  readonly failure: ServiceError | undefined;
}

class BatchRun {
  private readonly outcomes: OutcomeCollector;
  /** Waiting batches; the next one comes last. */
  private readonly pending: Array<readonly string[]>;
  private readonly breaker: CircuitBreaker;
  private readonly credits: CreditBudget;
  private remainderSpent = false;
  private readonly ceilings: Map<string, number>;
  /** Size of the largest accepted batch. */
  private largestAccepted = 0;
  private failed = false;
  /** Progress of splitting rejected batches, and the number of batches being split now. */
  private readonly search: SplitProgress & { inFlight: number } = {
    answered: false,
    refusedAlone: 0,
    inFlight: 0,
  };
  private crashError: { readonly error: unknown } | undefined;

  constructor(
    private readonly job: BatchJob,
    private readonly conditions: RunGuards,
  ) {
    this.outcomes = new OutcomeCollector(job);
    this.breaker = conditions.breaker;
    // Max Credits does not limit free requests.
    this.credits = job.creditsOf === undefined ? new CreditBudget() : conditions.credits;
    this.ceilings = job.endpoint === undefined ? new Map<string, number>() : job.ceilings;
    this.pending = chunk(job.domains, Math.max(1, job.batchSize)).reverse();
  }

  async start(): Promise<BatchReport> {
    const active = new Set<Promise<void>>();
    for (;;) {
      for (
        let batch = this.takeNext(active.size);
        batch.length > 0;
        batch = this.takeNext(active.size)
      ) {
        const running = this.process(batch).finally(() => active.delete(running));
        active.add(running);
      }
      if (active.size === 0) break;
      await Promise.race(active);
    }
    const { warn, signal } = this.conditions;
    if (this.crashError !== undefined) throw this.crashError.error;
    if (signal?.aborted === true) throw new CancelledError();
    this.outcomes.fail(this.pending.flat(), this.breaker.tripError ?? this.credits.limitError());
    return this.outcomes.report(warn);
  }

  /** Returns the next batch, cut to the currently known size limit; empty if nothing may start now. */
  private takeNext(active: number): readonly string[] {
    const room = this.isSerial ? 1 : (this.job.atOnce ?? BATCHES_AT_ONCE);
    if (this.breaker.tripError !== undefined || active >= room) return [];
    const next = this.pending.pop() ?? [];
    const most = Math.min(this.ceiling, this.covered);
    if (most < next.length) this.pending.push(next.slice(most));
    return next.slice(0, most);
  }

  /** True while a rejected batch is being split, and if only responses show the cost; then one batch is sent at a time. */
  private get isSerial(): boolean {
    return this.isBoundWithoutPrice || this.search.inFlight > 0;
  }

  /** True if credits are limited but only responses show the cost; then only one batch at a time can exceed the limit. */
  private get isBoundWithoutPrice(): boolean {
    return this.job.costsOpen === true && this.credits.limit !== undefined;
  }

  /** Number of domains that the credits cover, based on the average price in earlier batches. */
  private get covered(): number {
    const { available } = this.credits;
    if (!this.isBoundWithoutPrice || available === 0) return available;
    const { price } = this.outcomes;
    if (price === undefined) return Math.min(available, ROWS_TO_LEARN_COST);
    return Math.max(1, Math.floor(available / Math.max(1, price)));
  }

  /** Maximum domains per batch that any run with this key has learned. */
  private get ceiling(): number {
    const { batchSize, endpoint = '' } = this.job;
    return Math.min(Math.max(1, batchSize), this.ceilings.get(endpoint) ?? Infinity);
  }

  private set ceiling(size: number) {
    this.ceilings.set(this.job.endpoint ?? '', size);
  }

  private async process(batch: readonly string[]): Promise<void> {
    // After a rejection, the batch does not join a shared request, where it could make others fail.
    const hasRoom = this.pending.length === 0 && batch.length < this.ceiling && !this.failed;
    this.credits.reserve(batch.length);
    const failure = await this.requestBatch(batch, { ...this.options, hasRoom });
    if (failure !== undefined) await this.refuse(batch, failure);
  }

  private get options(): CallOptions {
    return { signal: this.conditions.signal, beforeSend: this.breaker.assertClosed };
  }

  /** Requests a batch whose credits are reserved; returns the failure, or undefined on success. */
  private async requestBatch(
    batch: readonly string[],
    options: BatchCallOptions,
  ): Promise<ServiceError | undefined> {
    try {
      this.accept(batch, await this.job.request(batch, options));
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError && options.signal?.aborted !== true) return error;
      this.credits.settleFailed(batch.length, error);
      this.crashError ??= { error };
      this.breaker.trip(error);
      return undefined;
    }
  }

  private accept(batch: readonly string[], answer: BatchResponse): void {
    this.search.answered = true;
    this.largestAccepted = Math.max(this.largestAccepted, batch.length);
    // A larger batch that was in flight succeeded, so the rejection was about something else.
    if (batch.length > this.ceiling) this.ceiling = batch.length;
    this.credits.settle(batch.length, this.outcomes.accept(batch, answer));
  }

  /** @param within Progress of the batch that this is a part of, whose credits are still reserved. */
  private async refuse(
    batch: readonly string[],
    error: ServiceError,
    within?: SplitProgress,
  ): Promise<void> {
    this.failed = true;
    const isPart = within !== undefined;
    const singles = batch.map(() => 1);
    const next = afterFailure(error, singles, {
      taken: this.largestAccepted,
      leastPrice: 1,
      isPart,
    });
    if (next.is === 'smaller' || next.is === 'parts') {
      await this.requestInParts(batch, { ...next, error }, within);
      return;
    }
    this.breaker.recordItemFailure(error);
    if (next.is === 'covered') await this.spendRemainder(batch, next);
    else this.recordLoss(batch, error);
    if (isPart || batch.length > 1 || !isPossiblyTooLarge(error)) return;
    this.search.refusedAlone += 1;
    if (isRefusingAll(this.search)) this.breaker.trip(error);
  }

  /** Returns whether a rejected batch must wait until others show the accepted size, or any success. */
  private mustWait({ length }: readonly string[], isSize: boolean): boolean {
    if (isSize && this.ceiling < length) return true;
    return this.search.inFlight > 0 && (isSize || !this.search.answered);
  }

  /** Splits a failed batch, see {@link splitAndRetry}. With On Error: Stop, a server or connection failure ends the run. */
  private async requestInParts(
    batch: readonly string[],
    failed: Failed,
    within?: SplitProgress,
  ): Promise<void> {
    const { error } = failed;
    const isSize = failed.is === 'smaller';
    const isSearch = within === undefined && !isServiceFault(error);
    if (isSearch && this.mustWait(batch, isSize)) {
      this.credits.settleFailed(batch.length, error);
      this.pending.push(batch);
      return;
    }
    if (isServiceFault(error)) this.breaker.recordItemFailure(error);
    if (isSearch) this.search.inFlight += 1;
    const progress = within ?? (isSearch ? this.search : { answered: false, refusedAlone: 0 });
    const isBrief = () => within === undefined;
    await splitAndRetry<string, BatchPart>(batch, failed, progress, {
      most: () => this.ceiling,
      isOneByOne: this.job.atOnce === 1 || isSize,
      send: async (domains) => {
        const failure = await this.requestBatch(domains, { ...this.options, isBrief });
        return { domains, failure: failure && toLossError(failure, error) };
      },
      settle: async ({ domains, failure }) => {
        if (failure !== undefined) await this.refuse(domains, failure, progress);
      },
      allSucceeded: (parts) => {
        const largest = Math.max(...parts.map(({ domains }) => domains.length));
        if (isPossiblyTooLarge(error) && largest < this.ceiling) this.ceiling = largest;
      },
      allFailed: async (parts) => {
        for (const { domains, failure = error } of parts) this.recordLoss(domains, failure);
        await Promise.resolve();
      },
      giveUp: (rest) => {
        this.breaker.trip(error);
        this.recordLoss(rest, error, toLossError(this.breaker.tripError ?? error, error));
      },
    });
    if (isSearch) this.search.inFlight -= 1;
  }

  private async spendRemainder(batch: readonly string[], next: CoveredSlices): Promise<void> {
    const { refusal, covered } = next;
    this.credits.settleFailed(batch.length, refusal);
    const most = Math.min(covered.length, this.credits.available);
    const isWanted = this.job.spendRemaining === true && !this.remainderSpent;
    const affordable = isWanted ? batch.slice(0, most) : [];
    this.outcomes.fail(batch.slice(affordable.length), refusal);
    if (affordable.length === 0) return;
    this.remainderSpent = true;
    this.credits.reserve(affordable.length);
    const second = await this.requestBatch(affordable, { signal: this.conditions.signal });
    if (second !== undefined) this.recordLoss(affordable, second);
  }

  /** @param reported Error to report for the domains; `error` if omitted. */
  private recordLoss(domains: readonly string[], error: ServiceError, reported = error): void {
    this.credits.settleFailed(domains.length, error);
    this.outcomes.fail(domains, reported);
  }
}

/** Returns the failure of a part, marked if the whole batch may have been charged before. */
function toLossError(failure: ServiceError, whole: ServiceError): ServiceError {
  if (whole.hadNoEffect) return failure;
  return failure instanceof NotAttemptedError
    ? whole
    : failure.copyWith({ earlierAttemptUnconfirmed: true });
}
