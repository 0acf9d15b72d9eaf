import type { CallOptions } from '../client/client';
import { CancelledError, mayBeTooLarge, NotAttemptedError, ServiceError } from '../client/errors';
import {
  afterFailure,
  askApart,
  inBatches,
  isTrouble,
  refusesAll,
  type Covered,
  type Next,
  type Progress,
} from './after-failure';
import type { BatchAnswer } from './answers/batch-answer';
import type { Brake, Conditions } from './brake';
import { CreditGuard } from './credit-guard';
import { Outcomes, type BatchReport, type Keeping } from './outcomes';

export type { BatchReport, DomainOutcome } from './outcomes';

/** Batches of a run that may be under way at once: each is a hundred companies' worth of work. */
export const BATCHES_AT_ONCE = 20;

/** The first batch, where nobody knows what a row costs and credits are bounded. */
const ROWS_TO_LEARN_COST = 10;

/** How one batch is asked for. */
export interface AskOptions extends CallOptions {
  /** It is the run's last, and has room for domains of others. */
  readonly hasRoom?: boolean;
}

export interface BatchJob extends Keeping {
  /** Normalized and distinct. */
  readonly domains: readonly string[];
  /** Asks for one batch; without `beforeSend` also when the run was stopped. */
  readonly ask: (batch: readonly string[], options: AskOptions) => Promise<BatchAnswer>;
  /** Under this name a learned batch ceiling is remembered in `ceilings`; only for this run without. */
  readonly endpoint?: string;
  readonly ceilings: Map<string, number>;
  /** The most domains per batch (interface: Size and pagination bounds). */
  readonly batchSize: number;
  /** After a 402, use the remaining credits for as many rows of that batch as they cover. */
  readonly spendRemaining?: boolean;
  /** Batches under way at once; {@link BATCHES_AT_ONCE} if left out. */
  readonly atOnce?: number;
  /** A row may cost more than one credit, and only its answer shows how many. */
  readonly costsOpen?: boolean;
}

/**
 * Asks for any number of domains in batches, several at once, each domain once.
 *
 * A domain that fails costs only itself: {@link afterFailure} says how its batch is asked for again.
 * After a failure that every other batch would meet too, such as a 402, nothing more is sent. The size
 * that succeeds where a larger one was refused is remembered for the key (interface: Companies, rule 2).
 *
 * @throws {CancelledError} when the signal fires.
 */
export async function askInBatches(job: BatchJob, conditions: Conditions): Promise<BatchReport> {
  return await new BatchRun(job, conditions).run();
}

/** Why a batch is asked for again, and in parts of what size. */
type Failed = Extract<Next, { readonly size: number }> & { readonly error: ServiceError };

/** A part of a batch, and what it failed with. */
interface Part {
  readonly domains: readonly string[];
  readonly failure: ServiceError | undefined;
}

class BatchRun {
  private readonly outcomes: Outcomes;
  /** Batches that wait, the next one last. */
  private readonly pending: Array<readonly string[]>;
  private readonly brake: Brake;
  private readonly credits: CreditGuard;
  private remainderSpent = false;
  private readonly ceilings: Map<string, number>;
  /** The largest batch that was taken. */
  private taken = 0;
  /** A batch was refused that may have been too large. */
  private inDoubt = false;
  private failed = false;
  /** What has come of taking refused batches apart, and of how many that is done just now. */
  private readonly search: Progress & { underWay: number } = {
    answered: false,
    refusedAlone: 0,
    underWay: 0,
  };
  private crash: { readonly error: unknown } | undefined;

  constructor(
    private readonly job: BatchJob,
    private readonly conditions: Conditions,
  ) {
    this.outcomes = new Outcomes(job);
    this.brake = conditions.brake;
    // Max Credits is no limit for what is free.
    this.credits = job.creditsOf === undefined ? new CreditGuard() : conditions.credits;
    this.ceilings = job.endpoint === undefined ? new Map<string, number>() : job.ceilings;
    this.pending = inBatches(job.domains, Math.max(1, job.batchSize)).reverse();
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
    const { tell, signal } = this.conditions;
    if (this.crash !== undefined) throw this.crash.error;
    if (signal?.aborted === true) throw new CancelledError();
    this.outcomes.fail(this.pending.flat(), this.brake.stopped ?? this.credits.reached());
    return this.outcomes.report(tell);
  }

  /** The next batch, cut to the ceiling as it is known now; empty when nothing may start now. */
  private take(active: number): readonly string[] {
    const room = this.isOneByOne ? 1 : (this.job.atOnce ?? BATCHES_AT_ONCE);
    if (this.brake.stopped !== undefined || active >= room) return [];
    const next = this.pending.pop() ?? [];
    const most = Math.min(this.ceiling, this.covered);
    if (most < next.length) this.pending.push(next.slice(most));
    return next.slice(0, most);
  }

  /** While a refused batch is taken apart, and until it is known what is taken, nothing else is sent. */
  private get isOneByOne(): boolean {
    const { underWay, refusedAlone, answered } = this.search;
    const isUnknown =
      (this.inDoubt && this.taken < this.ceiling) || (refusedAlone > 0 && !answered);
    return this.boundBlindly || underWay > 0 || isUnknown;
  }

  /** Credits are bounded, and only answers show what was spent: one batch at a time may go too far. */
  private get boundBlindly(): boolean {
    return this.job.costsOpen === true && this.credits.limit !== undefined;
  }

  /** Domains that the credits cover, as far as the batches before show what one costs. */
  private get covered(): number {
    const { available } = this.credits;
    if (!this.boundBlindly || available === 0) return available;
    const { price } = this.outcomes;
    if (price === undefined) return Math.min(available, ROWS_TO_LEARN_COST);
    return Math.max(1, Math.floor(available / Math.max(1, price)));
  }

  /** Domains of a batch at most, as far as any run with this key has found out. */
  private get ceiling(): number {
    const { batchSize, endpoint = '' } = this.job;
    return Math.min(Math.max(1, batchSize), this.ceilings.get(endpoint) ?? Infinity);
  }

  private set ceiling(size: number) {
    this.ceilings.set(this.job.endpoint ?? '', size);
  }

  private async process(batch: readonly string[]): Promise<void> {
    // What was refused before must not spoil a request of others.
    const hasRoom = this.pending.length === 0 && batch.length < this.ceiling && !this.failed;
    if (!(await this.credits.reserve(batch.length))) {
      // The next one is cut to what the key has left.
      this.pending.push(batch);
      return;
    }
    const failure = await this.ask(batch, { ...this.options, hasRoom });
    if (failure !== undefined) await this.refuse(batch, failure);
  }

  private get options(): CallOptions {
    return { signal: this.conditions.signal, beforeSend: this.brake.check };
  }

  /** Asks for a batch of which the credits are reserved; what comes back says why it failed. */
  private async ask(
    batch: readonly string[],
    options: AskOptions,
  ): Promise<ServiceError | undefined> {
    try {
      this.accept(batch, await this.job.ask(batch, options));
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError && options.signal?.aborted !== true) return error;
      this.credits.fail(batch.length, error);
      this.crash ??= { error };
      this.brake.stop(error);
      return undefined;
    }
  }

  private accept(batch: readonly string[], answer: BatchAnswer): void {
    this.search.answered = true;
    this.taken = Math.max(this.taken, batch.length);
    // A larger batch that was under way has shown that the refusal was about something else.
    if (batch.length > this.ceiling) this.ceiling = batch.length;
    this.credits.settle(batch.length, this.outcomes.accept(batch, answer));
  }

  /** @param within what has come of the batch that it is a part of, whose credits are still reserved. */
  private async refuse(
    batch: readonly string[],
    error: ServiceError,
    within?: Progress,
  ): Promise<void> {
    this.failed = true;
    const isPart = within !== undefined;
    const singles = batch.map(() => 1);
    const next = afterFailure(error, singles, { taken: this.taken, leastPrice: 1, isPart });
    if (next.is === 'smaller' || next.is === 'parts') {
      await this.askInParts(batch, { ...next, error }, within);
      return;
    }
    this.brake.failed(error);
    if (next.is === 'covered') await this.spendRemainder(batch, next);
    else this.lose(batch, error);
    if (isPart || batch.length > 1 || !mayBeTooLarge(error)) return;
    this.search.refusedAlone += 1;
    if (refusesAll(this.search)) this.brake.stop(error);
  }

  /** Whether a refused batch waits for others to show how many are taken at once, or anything at all. */
  private mustWait({ length }: readonly string[], isSize: boolean): boolean {
    if (isSize && this.ceiling < length) return true;
    return this.search.underWay > 0 && (isSize || !this.search.answered);
  }

  /** See {@link askApart}. With On Error: Stop, trouble is enough to end the run. */
  private async askInParts(
    batch: readonly string[],
    failed: Failed,
    within?: Progress,
  ): Promise<void> {
    const { error } = failed;
    const isSize = failed.is === 'smaller';
    const isSearch = within === undefined && !isTrouble(error);
    this.inDoubt ||= isSize;
    if (isSearch && this.mustWait(batch, isSize)) {
      this.credits.fail(batch.length, error);
      this.pending.push(batch);
      return;
    }
    if (isTrouble(error)) this.brake.failed(error);
    if (isSearch) this.search.underWay += 1;
    const progress = within ?? (isSearch ? this.search : { answered: false, refusedAlone: 0 });
    const isBrief = () => within === undefined;
    await askApart<string, Part>(batch, failed, progress, {
      most: () => this.ceiling,
      isOneByOne: this.job.atOnce === 1 || isSize,
      send: async (domains) => {
        const failure = await this.ask(domains, { ...this.options, isBrief });
        return { domains, failure: failure && afterLoss(failure, error) };
      },
      settle: async ({ domains, failure }) => {
        if (failure !== undefined) await this.refuse(domains, failure, progress);
      },
      allAnswered: (parts) => {
        const largest = Math.max(...parts.map(({ domains }) => domains.length));
        if (mayBeTooLarge(error) && largest < this.ceiling) this.ceiling = largest;
      },
      allTroubled: async (parts) => {
        for (const { domains, failure = error } of parts) this.lose(domains, failure);
        await Promise.resolve();
      },
      giveUp: (rest) => {
        this.brake.stop(error);
        this.lose(rest, error, afterLoss(this.brake.stopped ?? error, error));
      },
    });
    if (isSearch) this.search.underWay -= 1;
  }

  private async spendRemainder(batch: readonly string[], next: Covered): Promise<void> {
    const { refusal, covered } = next;
    this.credits.fail(batch.length, refusal);
    const most = Math.min(covered.length, this.credits.available);
    const isWanted = this.job.spendRemaining === true && !this.remainderSpent;
    const affordable = isWanted ? batch.slice(0, most) : [];
    this.outcomes.fail(batch.slice(affordable.length), refusal);
    if (affordable.length === 0) return;
    this.remainderSpent = true;
    if (!(await this.credits.reserve(affordable.length))) {
      this.outcomes.fail(affordable, this.credits.reached(affordable.length));
      return;
    }
    const second = await this.ask(affordable, { signal: this.conditions.signal });
    if (second !== undefined) this.lose(affordable, second);
  }

  /** @param told of the domains; `error` if left out. */
  private lose(domains: readonly string[], error: ServiceError, told = error): void {
    this.credits.fail(domains.length, error);
    this.outcomes.fail(domains, told);
  }
}

/** A failure of a part where its whole may have been charged. */
function afterLoss(failure: ServiceError, whole: ServiceError): ServiceError {
  if (whole.surelyNotDone) return failure;
  return failure instanceof NotAttemptedError ? whole : failure.retold({ maybeDone: true });
}
