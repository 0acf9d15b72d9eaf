import type { CallOptions } from '../client/client';
import {
  BatchTooLargeError,
  CancelledError,
  CreditExhaustedError,
  isPossiblyTooLarge,
  ServiceError,
} from '../client/errors';
import { findRemedy, readRemainder, withEarlierFailure } from './after-failure';
import { type CircuitBreaker, type RunGuards, CreditBudget } from './run-guards';
import {
  chunk,
  OutcomeCollector,
  type BatchOutcomes,
  type BatchResponse,
  type RowPolicy,
} from './responses/batch-response';

/** Maximum batches of a run in flight; each can contain 100 companies. */
export const BATCHES_AT_ONCE = 20;

/** Size of the first batch if credits are limited and the price of a row is unknown. */
const ROWS_TO_LEARN_COST = 10;

/** After a server or connection failure, the domains of batches up to this size are requested alone. */
const MAX_SENT_ALONE = 4;

/** Number of domains rejected alone, without any success, after which all are treated as rejected. */
const REFUSED_ALONE = 10;

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
 * A failing domain does not affect the others: its batch is split, see {@link findRemedy}. After a failure
 * that every other batch would have too, such as a 402, nothing more is sent. A batch size that
 * succeeds after a larger one was rejected is stored for the key (API spec: Companies, rule 2).
 *
 * @throws {CancelledError} if the signal fires.
 */
export async function requestInBatches(
  job: BatchJob,
  conditions: RunGuards,
): Promise<BatchOutcomes> {
  return await new BatchRun(job, conditions).start();
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
  /** True while a rejected batch is requested in halves. */
  private isHalving = false;
  /** Number of domains that were rejected alone. */
  private refusedAlone = 0;
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

  async start(): Promise<BatchOutcomes> {
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
    const unsent = this.pending.flat();
    if (unsent.length > 0)
      this.outcomes.fail(unsent, this.breaker.tripError ?? this.credits.limitError());
    return this.outcomes.report(warn);
  }

  /** Returns the next batch, cut to the currently known size limit; empty if nothing may start now. */
  private takeNext(active: number): readonly string[] {
    const isSerial = this.isBoundWithoutPrice || this.isHalving;
    const room = isSerial ? 1 : (this.job.atOnce ?? BATCHES_AT_ONCE);
    if (this.breaker.tripError !== undefined || active >= room) return [];
    const next = this.pending.pop() ?? [];
    const most = Math.min(this.ceiling, this.covered);
    if (most < next.length) this.pending.push(next.slice(most));
    return next.slice(0, most);
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
    const failure = await this.send(batch, { hasRoom });
    if (failure !== undefined) await this.handle(batch, failure);
  }

  /** Requests a batch whose credits are reserved; returns the failure, or undefined on success. */
  private async send(
    batch: readonly string[],
    given: BatchCallOptions,
  ): Promise<ServiceError | undefined> {
    const { signal } = this.conditions;
    try {
      const options = { signal, beforeSend: this.breaker.assertClosed, ...given };
      const response = await this.job.request(batch, options);
      this.largestAccepted = Math.max(this.largestAccepted, batch.length);
      // A larger batch that was in flight succeeded, so the rejection was about something else.
      if (batch.length > this.ceiling) this.ceiling = batch.length;
      this.credits.settle(batch.length, this.outcomes.accept(batch, response));
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError && signal?.aborted !== true) return error;
      this.credits.settleFailed(batch.length, error);
      this.crashError ??= { error };
      this.breaker.trip(error);
      return undefined;
    }
  }

  /**
   * Requests the domains of a failed batch again as far as that can help; the others have failed.
   *
   * @param isPart True if the batch was a part of another one that failed.
   */
  private async handle(
    batch: readonly string[],
    error: ServiceError,
    isPart = false,
  ): Promise<void> {
    this.failed = true;
    const remedy = findRemedy(error);
    if (error instanceof CreditExhaustedError) await this.spendRemainder(batch, error);
    else if (remedy === 'none' || batch.length === 1) this.recordLoss(batch, error);
    else if (remedy === 'parts') await this.sendInParts(batch, error, isPart);
    else await this.sendInHalves(batch, error, isPart);
  }

  /**
   * Finds the domain on which the service failed in two steps, each of them at once, because such a failure
   * can take as long as a request may. If all parts fail as well, nothing is split further.
   */
  private async sendInParts(
    batch: readonly string[],
    error: ServiceError,
    isPart: boolean,
  ): Promise<void> {
    this.breaker.recordItemFailure(error);
    const { length } = batch;
    const isLastStep = isPart || length <= MAX_SENT_ALONE;
    const parts = chunk(batch, isLastStep ? 1 : Math.ceil(length / Math.ceil(Math.sqrt(length))));
    const isBrief = () => !isPart;
    const failures = await Promise.all(
      parts.map(async (part) => await this.sendPart(part, error, { isBrief })),
    );
    const isOutage = failures.every((failure) => findRemedy(failure) === 'parts');
    await Promise.all(
      parts.map(async (part, index) => {
        const failure = failures[index];
        if (failure === undefined) return;
        if (isOutage) this.recordLoss(part, failure);
        else await this.handle(part, failure, true);
      }),
    );
  }

  /**
   * Finds with few requests what the service rejects: batches of this size, or one of the domains. Only one
   * batch at a time is halved, because what it shows holds for the others.
   */
  private async sendInHalves(
    batch: readonly string[],
    error: ServiceError,
    isPart: boolean,
  ): Promise<void> {
    if (!isPart && (this.isHalving || batch.length > this.ceiling)) {
      this.credits.settleFailed(batch.length, error);
      this.pending.push(batch);
      return;
    }
    const isSize =
      error instanceof BatchTooLargeError ||
      (isPossiblyTooLarge(error) && batch.length > this.largestAccepted);
    const half = isSize ? Math.floor(batch.length / 2) : Math.ceil(batch.length / 2);
    let isEachAccepted = true;
    this.isHalving ||= !isPart;
    for (let rest = batch, part = rest; rest.length > 0; rest = rest.slice(part.length)) {
      part = rest.slice(0, Math.min(half, this.ceiling));
      const failure = await this.sendPart(part, error, {});
      if (failure === undefined) continue;
      isEachAccepted = false;
      await this.handle(part, failure, true);
    }
    if (isSize && isEachAccepted && half < this.ceiling) this.ceiling = half;
    if (!isPart) this.isHalving = false;
  }

  private async sendPart(
    part: readonly string[],
    whole: ServiceError,
    options: BatchCallOptions,
  ): Promise<ServiceError | undefined> {
    const failure = this.breaker.tripError ?? (await this.send(part, options));
    return failure && withEarlierFailure(failure, whole);
  }

  private async spendRemainder(
    batch: readonly string[],
    refusal: CreditExhaustedError,
  ): Promise<void> {
    this.breaker.recordItemFailure(refusal);
    this.credits.settleFailed(batch.length, refusal);
    const { price, credits } = readRemainder(refusal, batch.length, 1);
    const isWanted = this.job.spendRemaining === true && !this.remainderSpent;
    // The figure can be so large that subtracting 1 has no effect, so never request all again.
    const most = Math.min(batch.length - 1, Math.floor(credits / price), this.credits.available);
    const affordable = batch.slice(0, isWanted ? most : 0);
    this.outcomes.fail(batch.slice(affordable.length), refusal);
    if (affordable.length === 0) return;
    this.remainderSpent = true;
    this.credits.reserve(affordable.length);
    const failure = await this.send(affordable, { beforeSend: undefined });
    if (failure !== undefined) this.recordLoss(affordable, failure);
  }

  private recordLoss(domains: readonly string[], error: ServiceError): void {
    this.breaker.recordItemFailure(error);
    this.credits.settleFailed(domains.length, error);
    this.outcomes.fail(domains, error);
    const isRefused = domains.length === 1 && findRemedy(error) === 'halves';
    if (isRefused && this.largestAccepted === 0) this.refusedAlone += 1;
    if (this.refusedAlone >= REFUSED_ALONE && this.largestAccepted === 0) this.breaker.trip(error);
  }
}
