import type { CallOptions } from '../client/client';
import {
  BatchTooLargeError,
  CancelledError,
  CreditExhaustedError,
  type NotAttemptedError,
  ServiceError,
} from '../client/errors';
import type { BatchAnswer } from './batch-answer';
import { mayHaveBeenCharged, type CreditGuard } from './credit-guard';
import { endsTheRun, notAttempted } from './ends-the-run';
import { LIMITS } from './limits';
import type { Oddity, Row } from './rows';

/** What became of one domain. Every domain that is asked for gets exactly one. */
export type DomainOutcome =
  | { readonly kind: 'row'; readonly row: Row }
  /** The service called it malformed. */
  | { readonly kind: 'rejected' }
  /** The answer to its batch does not mention it. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** Batches of a run that may be under way at once: each is a hundred companies' worth of work. */
export const BATCHES_AT_ONCE = 20;

export interface BatchJob {
  /** Normalized and distinct. */
  readonly domains: readonly string[];
  /** Asks for one batch. */
  readonly ask: (batch: readonly string[], options: CallOptions) => Promise<BatchAnswer>;
  /** Credits a row costs at most (interface: Credits). */
  readonly creditsOf: (row: Row) => number;
  /** Endpoint under which a learned batch ceiling is remembered in `ceilings`. */
  readonly endpoint: string;
  readonly ceilings: Map<string, number>;
  /** The most domains per batch that the user allows. */
  readonly maxBatchSize: number;
  readonly guard: CreditGuard;
  /** After a 402, use the remaining credits for as many rows of that batch as they cover. */
  readonly spendRemaining: boolean;
  /** When one failure makes the whole run worthless, do not pay for the rest. */
  readonly stopAtFirstFailure: boolean;
  readonly signal: AbortSignal | undefined;
  /** Batches under way at once; {@link BATCHES_AT_ONCE} if left out. */
  readonly atOnce?: number;
}

export interface BatchReport {
  readonly outcomes: ReadonlyMap<string, DomainOutcome>;
  /** Batches that were answered. */
  readonly answers: number;
  readonly oddities: readonly Oddity[];
}

/**
 * Asks for any number of domains in batches, several at once, each domain once.
 *
 * A failing batch costs only its own domains. After a failure that every other batch would meet too,
 * such as a 402, nothing more is sent. A batch refused with `batch_too_large` is cut
 * in halves, and the smaller size is remembered for the key (interface: Companies, rule 2).
 *
 * @throws {CancelledError} when the signal fires.
 */
export async function askInBatches(job: BatchJob): Promise<BatchReport> {
  return await new BatchRun(job).run();
}

class BatchRun {
  private readonly outcomes = new Map<string, DomainOutcome>();
  private readonly oddities = new Map<string, Oddity>();
  private readonly pending: string[];
  private answers = 0;
  /** Why nothing more is sent. */
  private stopped: NotAttemptedError | undefined;
  private remainderSpent = false;
  /** After a refused batch size, one batch goes ahead to find out whether the next size fits. */
  private probing = false;
  private crash: { readonly error: unknown } | undefined;

  constructor(private readonly job: BatchJob) {
    this.pending = [...job.domains].reverse();
  }

  async run(): Promise<BatchReport> {
    const active = new Set<Promise<void>>();
    for (;;) {
      for (let batch = this.take(active.size); batch.length > 0; batch = this.take(active.size)) {
        const running = this.process(batch).finally(() => active.delete(running));
        active.add(running);
      }
      if (active.size === 0) break;
      await Promise.race(active);
    }
    if (this.crash !== undefined) throw this.crash.error;
    if (this.job.signal?.aborted === true) throw new CancelledError();
    const reason = this.stopped ?? this.job.guard.reached();
    this.fail(this.pending, reason);
    return {
      outcomes: this.outcomes,
      answers: this.answers,
      oddities: [...this.oddities.values()],
    };
  }

  /** The next batch, cut to the ceiling as it is known now; empty when nothing may start now. */
  private take(active: number): string[] {
    const room = this.probing ? 1 : (this.job.atOnce ?? BATCHES_AT_ONCE);
    if (this.stopped !== undefined || active >= room) return [];
    const size = Math.min(this.ceiling, this.job.guard.available, this.pending.length);
    const batch = this.pending.splice(this.pending.length - size, size).reverse();
    this.job.guard.reserve(batch.length);
    return batch;
  }

  private get ceiling(): number {
    const { ceilings, endpoint, maxBatchSize } = this.job;
    return Math.max(
      1,
      Math.min(LIMITS.batchSize, maxBatchSize, ceilings.get(endpoint) ?? LIMITS.batchSize),
    );
  }

  private async process(batch: readonly string[]): Promise<void> {
    try {
      const answer = await this.job.ask(batch, {
        signal: this.job.signal,
        beforeSend: () => {
          if (this.stopped !== undefined) throw this.stopped;
        },
      });
      this.accept(batch, answer);
    } catch (error) {
      if (!(error instanceof ServiceError) || this.job.signal?.aborted === true) {
        this.crash ??= { error };
        this.stopped ??= notAttempted(error);
        this.job.guard.settle(batch.length, 0);
        return;
      }
      this.job.guard.settle(batch.length, mayHaveBeenCharged(error) ? batch.length : 0);
      await this.refuse(batch, error);
    }
  }

  private accept(batch: readonly string[], answer: BatchAnswer): void {
    this.answers += 1;
    this.probing = false;
    for (const oddity of answer.oddities) this.oddities.set(oddity.field, oddity);
    let credits = 0;
    for (const domain of batch) {
      const row = answer.rows.get(domain);
      if (row !== undefined) {
        credits += this.job.creditsOf(row);
        this.outcomes.set(domain, { kind: 'row', row });
      } else {
        this.outcomes.set(domain, { kind: answer.rejected.has(domain) ? 'rejected' : 'missing' });
      }
    }
    this.job.guard.settle(batch.length, credits);
  }

  private async refuse(batch: readonly string[], error: ServiceError): Promise<void> {
    if (error instanceof BatchTooLargeError && batch.length > 1) {
      const half = Math.floor(batch.length / 2);
      this.job.ceilings.set(this.job.endpoint, Math.min(this.ceiling, half));
      this.probing = true;
      this.pending.push(...[...batch].reverse());
      return;
    }
    if (this.job.stopAtFirstFailure || endsTheRun(error)) this.stopped ??= notAttempted(error);
    if (error instanceof CreditExhaustedError) await this.spendRemainder(batch, error);
    else this.fail(batch, error);
  }

  private async spendRemainder(
    batch: readonly string[],
    error: CreditExhaustedError,
  ): Promise<void> {
    const left = (error.requested ?? 0) - (error.shortfall ?? Infinity);
    const covered = Math.min(batch.length, Math.max(0, left), this.job.guard.available);
    if (!this.job.spendRemaining || this.remainderSpent || covered === 0) {
      this.fail(batch, error);
      return;
    }
    this.remainderSpent = true;
    const affordable = batch.slice(0, covered);
    this.fail(batch.slice(covered), error);
    this.job.guard.reserve(affordable.length);
    try {
      this.accept(affordable, await this.job.ask(affordable, { signal: this.job.signal }));
    } catch (second) {
      this.job.guard.settle(affordable.length, 0);
      if (!(second instanceof ServiceError)) throw second;
      this.fail(affordable, second);
    }
  }

  private fail(domains: readonly string[], error: ServiceError): void {
    for (const domain of domains) this.outcomes.set(domain, { kind: 'failed', error });
  }
}
