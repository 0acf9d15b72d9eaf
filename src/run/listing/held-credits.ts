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

  /**
   * @param perRow credits one row costs at most.
   * @param again the list was read before: nothing is held for rows that are free now.
   */
  constructor(
    private readonly guard: CreditGuard,
    private readonly perRow: number,
    private readonly again = false,
  ) {}

  /** Rows that the credits which nobody holds would pay. */
  get rowsCovered(): number {
    return this.perRow === 0 ? Infinity : Math.floor(this.guard.available / this.perRow);
  }

  /**
   * Holds the credits of rows up to `end`, or of as many as are there when the list has grown since
   * credits were held for it: what has been paid for is not given up for a row more.
   *
   * @param from the first row that no request has been sent for.
   * @returns up to which row they are held.
   * @throws {NotAttemptedError} when they are not there at first.
   */
  holdUntil(end: number, from: number): number {
    const begin = Math.max(this.end, from);
    if (this.again || this.guard.limit === undefined || end <= begin) return end;
    const more = end - begin;
    const rows = this.end === 0 ? more : Math.min(more, this.rowsCovered);
    this.guard.check(rows * this.perRow);
    this.guard.reserve(rows * this.perRow);
    this.held += rows * this.perRow;
    this.end = begin + rows;
    return this.end;
  }

  /**
   * Sends for a slice; what was held for it is what it may cost.
   *
   * @param billed rows of the answer that may be charged.
   */
  async spend(
    slice: Slice,
    send: () => Promise<Page>,
    billed: (page: Page) => number,
  ): Promise<Page> {
    if (this.perRow === 0) return await send();
    const rows = Math.max(0, Math.min(slice.from + slice.limit, this.end) - slice.from);
    this.free(Math.min(this.held, rows * this.perRow));
    return await this.guard.spend(
      slice.limit * this.perRow,
      send,
      (page) => billed(page) * this.perRow,
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
