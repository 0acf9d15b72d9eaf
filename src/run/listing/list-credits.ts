import { isPossiblyTooLarge, type NotAttemptedError } from '../../client/errors';
import type { Page } from '../responses/page';
import type { Row } from '../responses/rows';
import type { CreditBudget } from '../credit-budget';
import type { ListingRequest } from './listing';
import type { PageRange, FetchedPage } from './paging';

/**
 * Credits for the rows of one list: it is read whole, or refused for the credits of a row or two. Those
 * for rows that are known to follow are held from the moment they are known, so that nothing else of
 * the run spends them meanwhile.
 */
export class ListCredits {
  private readonly perRow: number;
  /** Rows before this one, and from the last request on, are held. */
  private end = 0;
  private heldCredits = 0;
  /** A row at this place was looked for, and there is none. */
  private endsAt = Infinity;
  /** The id of a row that was read alone. */
  private paid: string | undefined;
  private probed: FetchedPage | undefined;
  private checked = false;
  /** A row behind those that the credits cover, which shows that the list is too long. */
  private beyond: FetchedPage | undefined;

  /** @param send sends for a slice. */
  constructor(
    private readonly list: ListingRequest,
    private readonly guard: CreditBudget,
    private readonly send: (slice: PageRange) => Promise<Page>,
  ) {
    this.perRow = list.creditsPerRow ?? 1;
  }

  /** Rows that the credits which nobody holds would pay. */
  get rowsCovered(): number {
    return this.perRow === 0 ? Infinity : Math.floor(this.guard.available / this.perRow);
  }

  /**
   * Sends for a slice; what was held for it is what it may cost.
   *
   * @param billed rows of the answer that may be charged.
   */
  async fetch(
    slice: PageRange,
    billed = (rows: readonly Row[]): number => this.billed(rows),
  ): Promise<Page> {
    if (this.perRow === 0) return await this.send(slice);
    const rows = Math.max(0, Math.min(slice.from + slice.limit, this.end) - slice.from);
    const held = Math.min(this.heldCredits, rows * this.perRow);
    this.heldCredits -= held;
    return await this.guard.spendOn(
      slice.limit * this.perRow,
      async () => await this.send(slice),
      (page) => billed(page.rows) * this.perRow,
      held,
    );
  }

  /**
   * Holds the credits of rows up to `end`, or of as many as are there when the list has grown since
   * credits were held for it: what has been paid for is not given up for a row more.
   *
   * @param from the first row that no request has been sent for.
   * @returns up to which row they are held.
   * @throws {NotAttemptedError} when they are not there at first.
   */
  async holdUntil(end: number, from: number): Promise<number> {
    const begin = Math.max(this.end, from);
    if (this.guard.limit === undefined || end <= begin) return end;
    const more = end - begin;
    const rows = this.end === 0 ? more : Math.min(more, this.rowsCovered);
    this.guard.check(rows * this.perRow);
    if (!(await this.guard.reserve(rows * this.perRow))) {
      throw this.guard.limitError(rows * this.perRow);
    }
    this.heldCredits += rows * this.perRow;
    this.end = begin + rows;
    return this.end;
  }

  /** What is still held is there for others again. */
  release(): void {
    const { heldCredits } = this;
    this.heldCredits = 0;
    if (heldCredits > 0) this.guard.settle(heldCredits, 0);
  }

  /** Where all rows are wanted and Max Credits does not cover a page, a single row, to see what is said with it. */
  async probeRow(): Promise<FetchedPage | undefined> {
    const { wanted, skip = 0, paging, idOf } = this.list;
    const [largest = Infinity] = paging.sizes;
    const covered = this.rowsCovered;
    if (largest <= covered || covered < 1 || wanted !== undefined) return undefined;
    const slice = paging.slice(skip, 1);
    const page = await this.fetch(slice);
    this.paid = page.rows.map((row) => idOf?.(row))[0];
    this.probed = { slice, page };
    return this.probed;
  }

  /**
   * Rows that were read alone and paid for, and that no page has brought again; each once.
   *
   * @param isOver no page follows.
   */
  takeSingles(isOver: boolean): FetchedPage[] {
    const { probed, beyond, paid } = this;
    this.probed = undefined;
    this.beyond = undefined;
    const isMissing = isOver || paid !== undefined;
    return [...(isMissing ? [probed] : []), beyond].filter((one) => one !== undefined);
  }

  /**
   * How many rows behind a {@link probeRow} the first page asks for.
   *
   * @throws {NotAttemptedError} when Max Credits does not cover the list.
   */
  async firstSize({ page }: FetchedPage, asked: number): Promise<number> {
    const { skip = 0 } = this.list;
    const { totalResults } = page.pagination;
    const paid = this.paid === undefined ? 0 : 1;
    if (totalResults === undefined) await this.refuseIfLonger(skip + paid);
    const covered = this.rowsCovered;
    const left = totalResults === undefined ? covered : totalResults - skip;
    if (left > covered + paid) throw this.guard.limitError();
    return Math.max(1, Math.min(asked, left, covered));
  }

  /** Why a page that the credits do not cover is not asked for. */
  limitError(): NotAttemptedError {
    return this.guard.limitError();
  }

  /**
   * Makes sure that Max Credits covers `missing` rows from row `from` on, or what is there of them. Looks
   * once at most.
   *
   * @throws {NotAttemptedError} when it does not.
   */
  async check(from: number, missing: number): Promise<void> {
    if (this.checked) return;
    this.checked = true;
    if (missing > this.rowsCovered) await this.refuseIfLonger(from);
  }

  /** Whether a page that ends before row `end` is the last one that can be paid, and none follows. */
  isReached(end: number): boolean {
    return end >= this.endsAt && this.rowsCovered < 1;
  }

  /** How many of the rows of a page are to be paid: what comes again is free (API spec: Credits, 2). */
  private billed(rows: readonly Row[]): number {
    const { idOf } = this.list;
    if (this.paid === undefined || !rows.some((row) => idOf?.(row) === this.paid)) {
      return rows.length;
    }
    this.paid = undefined;
    return rows.length - 1;
  }

  /** Looks whether there is a row behind those that the credits cover, from row `from` on. */
  private async refuseIfLonger(from: number): Promise<void> {
    const covered = this.rowsCovered;
    if (covered < 1) throw this.guard.limitError();
    try {
      const slice = this.list.paging.slice(from + covered, 1);
      const page = await this.fetch(slice);
      if (page.rows.length > 0) {
        this.beyond = { slice, page };
        throw this.guard.limitError();
      }
    } catch (error) {
      // Some services refuse what is behind the end.
      if (!isPossiblyTooLarge(error)) throw error;
    }
    this.endsAt = from + covered;
  }
}
