import type { CreditGuard } from '../credit-guard';
import type { Page } from './pages';
import type { Slice } from './paging';

/**
 * Credits for the rows of one list. Those for rows that are known to follow are held from the moment
 * they are known, so that nothing else of the run spends them meanwhile.
 */
export class HeldCredits {
  /** Rows before this one, and from the last request on, are held. */
  private end = 0;
  private held = 0;

  /** @param perRow credits one row costs at most. */
  constructor(
    private readonly guard: CreditGuard,
    private readonly perRow: number,
  ) {}

  /** Rows that the credits which nobody holds would pay. */
  get rowsCovered(): number {
    return this.perRow === 0 ? Infinity : Math.floor(this.guard.available / this.perRow);
  }

  /**
   * Holds the credits of rows up to `end`.
   *
   * @param from the first row that no request has been sent for.
   * @throws {NotAttemptedError} when they are not there.
   */
  holdUntil(end: number, from: number): void {
    const more = Math.max(0, end - Math.max(this.end, from)) * this.perRow;
    if (this.guard.limit === undefined || more === 0) return;
    this.guard.check(more);
    this.guard.reserve(more);
    this.held += more;
    this.end = end;
  }

  /** Sends for a slice; what was held for it is what it may cost. */
  async spend(slice: Slice, send: () => Promise<Page>): Promise<Page> {
    if (this.perRow === 0) return await send();
    const rows = Math.max(0, Math.min(slice.from + slice.limit, this.end) - slice.from);
    this.free(Math.min(this.held, rows * this.perRow));
    return await this.guard.spend(
      slice.limit * this.perRow,
      send,
      (page) => page.rows.length * this.perRow,
    );
  }

  /** What is still held is there for others again. */
  release(): void {
    this.free(this.held);
  }

  private free(credits: number): void {
    this.held -= credits;
    if (credits > 0) this.guard.settle(credits, 0);
  }
}
