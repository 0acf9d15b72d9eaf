import type { CallOptions } from '../client/client';
import {
  BatchTooLargeError,
  CancelledError,
  CreditExhaustedError,
  NotAttemptedError,
  ServiceError,
} from '../client/errors';
import { CircuitBreaker, type RunGuards, CreditBudget } from './run-guards';
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

/** The domains of a failed batch up to this size are requested alone. */
const MAX_SENT_ALONE = 4;

/** Number of domains rejected alone, without any success, after which all are treated as rejected. */
const REFUSED_ALONE = 10;

interface BatchTerms extends Pick<CallOptions, 'isBrief'> {
  readonly breaker: CircuitBreaker;
  /** True if the batch is the run's last one and has room for domains of other runs. */
  readonly hasRoom?: boolean;
}

export interface BatchJob extends RowPolicy {
  readonly domains: readonly string[];
  readonly request: (batch: readonly string[], terms: BatchTerms) => Promise<BatchResponse>;
  /** Key in `ceilings` for the learned batch size limit; without it, the limit applies to this run only. */
  readonly endpoint?: string;
  readonly ceilings: Map<string, number>;
  /** Maximum domains per batch (API spec: Size and pagination bounds). */
  readonly batchSize: number;
  /** Whether, after a 402, as many rows of the refused batch are requested as the balance covers. */
  readonly spendRemaining?: boolean;
  /** Maximum batches in flight; {@link BATCHES_AT_ONCE} if omitted. */
  readonly atOnce?: number;
  /** True if a row can cost more than 1 credit and only the response shows how many. */
  readonly costsOpen?: boolean;
}

interface UnpaidBatch {
  readonly batch: readonly string[];
  readonly refusal: CreditExhaustedError;
}

/**
 * Looks up any number of domains in batches, several in parallel, each domain once.
 *
 * A failing domain does not affect the others, because its batch is split. After a failure that every
 * other batch would have too, such as a 402, nothing more is sent. A batch size that succeeds after
 * `batch_too_large` is stored for the key (API spec: Companies, rule 2).
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
  private readonly pending: Array<readonly string[]>;
  private readonly breaker: CircuitBreaker;
  private readonly credits: CreditBudget;
  private readonly unpaid: UnpaidBatch[] = [];
  private readonly ceilings: Map<string, number>;
  private hasSucceeded = false;
  private failed = false;
  /** Half of the smallest batch that was too large. */
  private half = Infinity;
  /** True until a batch succeeds after one was too large; only one at a time tries the smaller size. */
  private isTrying = false;
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
    if (this.job.spendRemaining === true) await this.spendRest();
    const { warn, signal } = this.conditions;
    if (this.crashError !== undefined) throw this.crashError.error;
    if (signal?.aborted === true) throw new CancelledError();
    const unsent = this.pending.flat();
    if (unsent.length > 0)
      this.outcomes.fail(unsent, this.breaker.tripError ?? this.credits.limitError());
    return this.outcomes.report(warn);
  }

  /** Empty if nothing may start now. */
  private takeNext(active: number): readonly string[] {
    const isSerial = this.isBoundWithoutPrice || this.isTrying;
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

  /** In domains, at the average price of earlier batches. */
  private get covered(): number {
    const { available } = this.credits;
    if (!this.isBoundWithoutPrice || available === 0) return available;
    const { price } = this.outcomes;
    if (price === undefined) return Math.min(available, ROWS_TO_LEARN_COST);
    return Math.max(1, Math.floor(available / Math.max(1, price)));
  }

  /** Learned by this run or any other with this key. */
  private get ceiling(): number {
    const { batchSize, endpoint = '' } = this.job;
    return Math.min(Math.max(1, batchSize), this.half, this.ceilings.get(endpoint) ?? Infinity);
  }

  private async process(batch: readonly string[]): Promise<void> {
    // After a rejection, the batch does not join a shared request, where it could make others fail.
    const hasRoom = this.pending.length === 0 && batch.length < this.ceiling && !this.failed;
    this.credits.reserve(batch.length);
    const failure = await this.send(batch, { hasRoom });
    if (failure !== undefined) await this.handle(batch, failure);
  }

  /** The credits are reserved. @returns The failure, or undefined on success. */
  private async send(
    batch: readonly string[],
    given: Partial<BatchTerms> = {},
  ): Promise<ServiceError | undefined> {
    const { signal } = this.conditions;
    try {
      const response = await this.job.request(batch, { breaker: this.breaker, ...given });
      this.hasSucceeded = true;
      this.isTrying = false;
      // If it is larger, it was in flight when a smaller size was learned.
      if (batch.length === this.half || batch.length > this.ceiling) {
        this.half = batch.length;
        this.ceilings.set(this.job.endpoint ?? '', batch.length);
      }
      this.credits.settle(batch.length, this.outcomes.accept(batch, response));
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError && signal?.aborted !== true) return error;
      this.credits.settleFailed(batch.length, error, this.job.costsOpen);
      this.crashError ??= { error };
      this.breaker.trip(error);
      return undefined;
    }
  }

  /** @param isPart True if the batch was a part of another one that failed. */
  private async handle(
    batch: readonly string[],
    error: ServiceError,
    isPart = false,
  ): Promise<void> {
    this.failed = true;
    if (error instanceof CreditExhaustedError) {
      this.recordLoss(batch, error);
      this.unpaid.push({ batch, refusal: error });
    } else if (error.affectsAnyRequest || batch.length === 1) this.recordLoss(batch, error);
    else if (error instanceof BatchTooLargeError) {
      this.credits.settleFailed(batch.length, error, this.job.costsOpen);
      this.half = Math.min(this.half, Math.floor(batch.length / 2));
      this.isTrying = true;
      this.pending.push(batch);
    } else await this.sendInParts(batch, error, isPart);
  }

  /**
   * Finds in two steps the domain that the service rejects or on which it fails. Rejections come fast, so
   * the parts follow one another, and a service that rejects everything is noticed early. Otherwise all
   * are sent at once, because such a failure can take as long as a request may; if all parts fail as well,
   * nothing is split further.
   */
  private async sendInParts(
    batch: readonly string[],
    error: ServiceError,
    isPart: boolean,
  ): Promise<void> {
    const { length } = batch;
    const isLastStep = isPart || length <= MAX_SENT_ALONE;
    const parts = chunk(batch, isLastStep ? 1 : Math.ceil(length / Math.ceil(Math.sqrt(length))));
    if (error.lastAttemptHadNoEffect) {
      for (const part of parts) {
        const failure = await this.sendPart(part, error);
        if (failure !== undefined) await this.handle(part, failure, true);
      }
      return;
    }
    this.breaker.recordItemFailure(error);
    const isBrief = () => !isPart;
    const failures = await Promise.all(
      parts.map(async (part) => await this.sendPart(part, error, { isBrief })),
    );
    const isOutage = failures.every((failure) => failure !== undefined && isTrouble(failure));
    await Promise.all(
      parts.map(async (part, index) => {
        const failure = failures[index];
        if (failure === undefined) return;
        if (isOutage) this.recordLoss(part, failure);
        else await this.handle(part, failure, true);
      }),
    );
  }

  private async sendPart(
    part: readonly string[],
    whole: ServiceError,
    terms?: Partial<BatchTerms>,
  ): Promise<ServiceError | undefined> {
    const failure = this.breaker.tripError ?? (await this.send(part, terms));
    return failure && withEarlierFailure(failure, whole);
  }

  /**
   * Requests as many rows as the balance covers after a 402, when nothing is in flight any more. If this is
   * refused with other figures, it tries once more: the balance or the price of these rows was another one.
   */
  private async spendRest(): Promise<void> {
    const toPosition = ({ batch: [first = ''] }: UnpaidBatch) => this.job.domains.indexOf(first);
    let unpaid = this.unpaid
      .toSorted((a, b) => toPosition(a) - toPosition(b))
      .find((one) => this.takeAffordable(one).length > 0);
    for (let times = 0; unpaid !== undefined && times < 2; times += 1) {
      const batch = this.takeAffordable(unpaid);
      if (batch.length === 0 || this.conditions.signal?.aborted === true) return;
      this.credits.reserve(batch.length);
      // The refusal has ended the run, but not for these rows.
      const failure = await this.send(batch, { breaker: new CircuitBreaker() });
      if (failure === undefined) return;
      this.recordLoss(batch, failure);
      const isOther = failure instanceof CreditExhaustedError && !hasSameFigures(failure, unpaid);
      unpaid = isOther ? { batch, refusal: failure } : undefined;
    }
  }

  private takeAffordable({ batch, refusal }: UnpaidBatch): readonly string[] {
    const { requested = 0, shortfall = Infinity } = refusal;
    const price = Math.max(1, requested / batch.length);
    const affordable = Math.floor(Math.min(requested - shortfall, this.credits.available) / price);
    // At least 1 credit is missing, whatever figures the service states, so never request all again.
    return batch.slice(0, Math.max(0, Math.min(batch.length - 1, affordable, this.covered)));
  }

  private recordLoss(domains: readonly string[], error: ServiceError): void {
    this.breaker.recordItemFailure(error);
    this.credits.settleFailed(domains.length, error, this.job.costsOpen);
    this.outcomes.fail(domains, error);
    const isRefused = !error.affectsAnyRequest && error.lastAttemptHadNoEffect;
    if (isRefused && domains.length === 1) this.refusedAlone += 1;
    if (this.refusedAlone >= REFUSED_ALONE && !this.hasSucceeded) this.breaker.trip(error);
  }
}

function hasSameFigures(failure: CreditExhaustedError, { refusal }: UnpaidBatch): boolean {
  return failure.requested === refusal.requested && failure.shortfall === refusal.shortfall;
}

function isTrouble(error: ServiceError): boolean {
  return !error.affectsAnyRequest && !error.lastAttemptHadNoEffect;
}

/** The failure of a repeated request, marked if the one before may have been charged. */
export function withEarlierFailure(failure: ServiceError, before: ServiceError): ServiceError {
  if (before.hadNoEffect) return failure;
  return failure instanceof NotAttemptedError
    ? before
    : failure.copyWith({ earlierAttemptUnconfirmed: true });
}
