import type { CallOptions } from '../client/client';
import {
  BatchTooLargeError,
  CancelledError,
  mayBeTooLarge,
  NotAttemptedError,
  ServiceError,
} from '../client/errors';
import {
  afterFailure,
  askApart,
  inBatches,
  isTrouble,
  type Covered,
  type Progress,
} from './after-failure';
import { textAboutForeign, type BatchAnswer, type Oddity } from './answers/batch-answer';
import type { Row } from './answers/rows';
import type { Brake, Conditions } from './brake';
import { CreditGuard } from './credit-guard';

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

/** Single domains refused in a row, with nothing answered, after which all of them are taken to be. */
const SINGLES_REFUSED = 3;

/** The first batch, where nobody knows what a row costs and credits are bounded. */
const ROWS_TO_LEARN_COST = 10;

/** How one batch is asked for. */
export interface AskOptions extends CallOptions {
  /** It is the run's last, and has room for domains of others. */
  readonly hasRoom?: boolean;
}

export interface BatchJob {
  /** Normalized and distinct. */
  readonly domains: readonly string[];
  /** Asks for one batch; without `beforeSend` also when the run was stopped. */
  readonly ask: (batch: readonly string[], options: AskOptions) => Promise<BatchAnswer>;
  /** Credits a row costs at most (interface: Credits); left out where nothing is charged. */
  readonly creditsOf?: ((row: Row) => number) | undefined;
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
  /** What is kept of a row of a domain; all of it if left out. */
  readonly keep?: (row: Row, domain: string) => Row;
}

export interface BatchReport {
  readonly outcomes: ReadonlyMap<string, DomainOutcome>;
  /** Domains whose rows may have cost something. */
  readonly charged: readonly string[];
  /** Batches that were answered; of one that was shared with other runs, this run's part. */
  readonly answers: number;
  readonly oddities: readonly Oddity[];
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

/** A batch that failed and is asked for again in parts. */
interface Whole {
  readonly error: ServiceError;
  readonly progress: Progress;
}

/** A part of it, and what it failed with. */
interface Part {
  readonly domains: readonly string[];
  readonly failure: ServiceError | undefined;
}

class BatchRun {
  private readonly outcomes = new Map<string, DomainOutcome>();
  private readonly charged: string[] = [];
  private readonly oddities = new Map<string, Oddity>();
  private readonly foreign: Row[] = [];
  /** Batches that wait, the next one last. */
  private readonly pending: Array<readonly string[]>;
  private readonly brake: Brake;
  private readonly credits: CreditGuard;
  private answers = 0;
  /** Rows that were paid for, and what they cost at most. */
  private readonly paid = { rows: 0, credits: 0 };
  private remainderSpent = false;
  /** After a refused batch size, one batch goes ahead to find out whether the next size fits. */
  private probing = false;
  /** Domains of the refused batch that must still be answered, to show that it was the size. */
  private unproved = 0;
  /** What is asked for at once: the largest size that was not refused. */
  private size: number;
  /** The largest size that was taken. */
  private fits = 0;
  /** The service has said in so many words that a batch was too large. */
  private saidTooLarge = false;
  private singlesRefused = 0;
  /** What has come of looking for refused domains, and in how many batches that is done just now. */
  private readonly search: Progress & { underWay: number } = {
    answered: false,
    refusedAlone: 0,
    underWay: 0,
  };
  private refused = false;
  private crash: { readonly error: unknown } | undefined;

  constructor(
    private readonly job: BatchJob,
    private readonly conditions: Conditions,
  ) {
    this.brake = conditions.brake;
    // Max Credits is no limit for what is free.
    this.credits = job.creditsOf === undefined ? new CreditGuard() : conditions.credits;
    this.size = Math.max(1, job.batchSize);
    this.pending = inBatches(job.domains, this.size).reverse();
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
    if (this.conditions.signal?.aborted === true) throw new CancelledError();
    const reason = this.brake.stopped ?? this.credits.reached();
    this.fail(this.pending.flat(), reason);
    if (this.foreign.length > 0) this.conditions.tell(textAboutForeign(this.foreign));
    const { endpoint, ceilings, batchSize } = this.job;
    if (endpoint !== undefined && this.fits > 0 && this.ceiling < batchSize) {
      ceilings.set(endpoint, this.ceiling);
    }
    const { outcomes, charged, answers } = this;
    return { outcomes, charged, answers, oddities: [...this.oddities.values()] };
  }

  /** The next batch, cut to the ceiling as it is known now; empty when nothing may start now. */
  private take(active: number): readonly string[] {
    const alone = this.probing || this.boundBlindly || this.search.underWay > 0;
    const room = alone ? 1 : (this.job.atOnce ?? BATCHES_AT_ONCE);
    if (this.brake.stopped !== undefined || active >= room) return [];
    const batch = this.split(this.pending.pop() ?? [], Math.min(this.ceiling, this.covered));
    this.credits.reserve(batch.length);
    return batch;
  }

  /** Credits are bounded, and only answers show what was spent: one batch at a time may go too far. */
  private get boundBlindly(): boolean {
    return this.job.costsOpen === true && this.credits.limit !== undefined;
  }

  /** Domains that the credits cover, as far as the batches before show what one costs. */
  private get covered(): number {
    const { available } = this.credits;
    if (!this.boundBlindly || available === 0) return available;
    const { rows, credits } = this.paid;
    if (rows === 0) return Math.min(available, ROWS_TO_LEARN_COST);
    return Math.max(1, Math.floor(available / Math.max(1, credits / rows)));
  }

  private get ceiling(): number {
    return Math.min(this.size, this.job.ceilings.get(this.job.endpoint ?? '') ?? Infinity);
  }

  /** Leaves all but the first domains of a batch for later. */
  private split(batch: readonly string[], first: number): readonly string[] {
    if (first < batch.length) this.pending.push(batch.slice(first));
    return batch.slice(0, first);
  }

  private async process(batch: readonly string[]): Promise<void> {
    const { signal } = this.conditions;
    // What was refused before must not spoil a request of others.
    const hasRoom = this.pending.length === 0 && batch.length < this.ceiling && !this.refused;
    const options = { signal, beforeSend: this.brake.check, hasRoom };
    const failure = await this.ask(batch, options);
    if (failure !== undefined) await this.refuse(batch, failure);
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
    this.answers += answer.share ?? 1;
    this.search.answered = true;
    this.unproved -= batch.length;
    const isDoubtful = !this.saidTooLarge && this.size < this.job.batchSize;
    this.probing &&= isDoubtful && this.unproved > 0;
    this.fits = Math.max(this.fits, batch.length);
    // A larger batch that was under way has shown that the refusal was about something else.
    this.size = Math.max(this.size, batch.length);
    for (const oddity of answer.oddities) this.oddities.set(oddity.field, oddity);
    const came = new Set(answer.foreign);
    this.foreign.push(...came);
    const credits = this.acceptRows(batch, answer, came);
    this.credits.settle(batch.length, credits);
    this.paid.rows += batch.length;
    this.paid.credits += credits;
  }

  /**
   * @param came rows that are nobody's.
   * @returns what all rows may have cost, whosever they are.
   */
  private acceptRows(batch: readonly string[], answer: BatchAnswer, came: Set<Row>): number {
    const { creditsOf = () => 0, keep = (row: Row) => row } = this.job;
    let credits = 0;
    for (const row of came) credits += creditsOf(row);
    for (const domain of batch) {
      const row = answer.rows.get(domain);
      if (row === undefined) {
        this.outcomes.set(domain, { kind: answer.rejected.has(domain) ? 'rejected' : 'missing' });
        continue;
      }
      const cost = creditsOf(row);
      if (cost > 0) this.charged.push(domain);
      // What one does to its row, another must not see.
      const own = came.has(row) ? structuredClone(row) : row;
      if (own === row) credits += cost;
      came.add(row);
      this.outcomes.set(domain, { kind: 'row', row: keep(own, domain) });
    }
    return credits;
  }

  /** @param whole what the batch is a part of; its credits are reserved until its parts are settled. */
  private async refuse(
    batch: readonly string[],
    error: ServiceError,
    whole?: Whole,
  ): Promise<void> {
    this.refused = true;
    const next = afterFailure(
      error,
      batch.map(() => 1),
      { taken: this.fits, leastPrice: 1, isPart: whole !== undefined },
    );
    if (next.is === 'smaller') {
      this.saidTooLarge ||= error instanceof BatchTooLargeError;
      this.size = Math.min(this.size, next.size);
      this.probing = true;
      this.unproved = batch.length;
      if (whole === undefined) this.putBack(batch, error);
      else await this.askInParts(batch, error, 2, whole);
    } else if (next.is === 'parts') {
      await this.askInParts(batch, error, next.count, whole);
    } else {
      this.brake.failed(error);
      this.credits.fail(batch.length, error);
      if (next.is === 'covered') await this.spendRemainder(batch, next);
      else this.fail(batch, error);
      this.blame(batch, error);
    }
  }

  private putBack(batch: readonly string[], error: ServiceError): void {
    this.credits.fail(batch.length, error);
    this.pending.push(batch);
  }

  /** See {@link askApart}. With On Error: Stop, trouble is enough to end the run. */
  private async askInParts(
    batch: readonly string[],
    error: ServiceError,
    count: number,
    whole?: Whole,
  ): Promise<void> {
    const isSearch = whole === undefined && !isTrouble(error);
    // Where nothing was ever answered, all may be refused: one batch finds out.
    if (isSearch && !this.search.answered && this.search.underWay > 0) {
      this.putBack(batch, error);
      return;
    }
    if (isTrouble(error)) this.brake.failed(error);
    if (isSearch) this.search.underWay += 1;
    const own = isSearch ? this.search : { answered: false, refusedAlone: 0 };
    const progress = whole?.progress ?? own;
    const { signal } = this.conditions;
    const isBrief = () => whole === undefined;
    await askApart<string, Part>(batch, { error, count }, progress, {
      isOneByOne: this.job.atOnce === 1,
      send: async (domains) => {
        const failure = await this.ask(domains, { signal, beforeSend: this.brake.check, isBrief });
        return { domains, failure: failure && afterLoss(failure, error) };
      },
      settle: async ({ domains, failure }) => {
        if (failure !== undefined) await this.refuse(domains, failure, { error, progress });
      },
      allTroubled: async (parts) => {
        for (const { domains, failure = error } of parts) {
          this.credits.fail(domains.length, failure);
          this.fail(domains, failure);
        }
        await Promise.resolve();
      },
      giveUp: (domains) => {
        this.brake.stop(error);
        this.credits.fail(domains.length, error);
        this.fail(domains, afterLoss(this.brake.stopped ?? error, error));
      },
    });
    if (!isSearch) return;
    this.search.underWay -= 1;
    this.probing ||= !this.search.answered;
  }

  /** A single domain was refused, so that its batch was not refused for its size. */
  private blame({ length }: readonly string[], error: ServiceError): void {
    if (length > 1 || !mayBeTooLarge(error)) return;
    if (!this.saidTooLarge && this.size < this.job.batchSize) {
      this.size = this.job.batchSize;
      this.probing = true;
    }
    if (this.answers > 0) return;
    this.singlesRefused += 1;
    if (this.singlesRefused >= SINGLES_REFUSED) this.brake.stop(error);
  }

  private async spendRemainder(batch: readonly string[], next: Covered): Promise<void> {
    const { refusal, covered } = next;
    const most = Math.min(covered.length, this.credits.available);
    const isWanted = this.job.spendRemaining === true && !this.remainderSpent;
    const affordable = isWanted ? batch.slice(0, most) : [];
    this.fail(batch.slice(affordable.length), refusal);
    if (affordable.length === 0) return;
    this.remainderSpent = true;
    this.credits.reserve(affordable.length);
    const second = await this.ask(affordable, { signal: this.conditions.signal });
    if (second === undefined) return;
    this.credits.fail(affordable.length, second);
    this.fail(affordable, second);
  }

  private fail(domains: readonly string[], error: ServiceError): void {
    for (const domain of domains) this.outcomes.set(domain, { kind: 'failed', error });
  }
}

/** A failure of a part where its whole may have been charged. */
function afterLoss(failure: ServiceError, whole: ServiceError): ServiceError {
  if (whole.surelyNotDone) return failure;
  return failure instanceof NotAttemptedError ? whole : failure.retold({ maybeDone: true });
}
