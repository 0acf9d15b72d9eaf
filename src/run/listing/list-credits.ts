import { isPossiblyTooLarge } from '../../client/errors';
import type { Page } from '../responses/page';
import type { Row } from '../responses/rows';
import type { CreditBudget } from '../credit-budget';
import type { ListingRequest } from './listing';
import type { PageRange, FetchedPage } from './paging';

/**
 * Reserves the credits for the rows of one list. The list is read completely, or refused after one or two
 * rows. Credits for rows that are known to follow are reserved immediately, so that other requests of the
 * run cannot spend them.
 */
export class ListCredits {
  /** Index after the last row whose credits are reserved. */
  private end = 0;
  /** Reserved credits that no request has used yet. */
  private heldCredits = 0;
  /** Index where a probe found no row; Infinity if there was no such probe. */
  private endsAt = Infinity;
  private readonly isFree: boolean;
  /** ID of the probed row, until a page contains it again. */
  private paid: string | undefined;
  /** The probed first row. */
  private probed: FetchedPage | undefined;
  /** Whether the length of the list was compared with the credits. */
  private checked = false;
  /** Row after those that the credits cover. It shows that the list is too long. */
  private beyond: FetchedPage | undefined;

  /** @param send Requests a range of rows. */
  constructor(
    private readonly list: ListingRequest,
    private readonly guard: CreditBudget,
    private readonly send: (slice: PageRange) => Promise<Page>,
  ) {
    this.isFree = list.isFree === true;
  }

  /** Number of rows that the unreserved credits cover. */
  get rowsCovered(): number {
    return this.isFree ? Infinity : this.guard.available;
  }

  /**
   * Requests a range of rows, and uses the credits reserved for it first.
   *
   * @param billed Returns how many rows of the response may be charged.
   * @throws {NotAttemptedError} when the range can cost more than the run may spend.
   */
  async fetch(
    slice: PageRange,
    billed = (rows: readonly Row[]): number => this.billed(rows),
  ): Promise<Page> {
    if (this.isFree) return await this.send(slice);
    const rows = Math.max(0, Math.min(slice.from + slice.limit, this.end) - slice.from);
    const held = Math.min(this.heldCredits, rows);
    this.heldCredits -= held;
    return await this.guard.sendWithinBudget(
      slice.limit,
      async () => await this.send(slice),
      (page) => billed(page.rows),
      held,
    );
  }

  /**
   * Reserves the credits for the rows up to `end`. If the list has grown since the first reservation, it
   * reserves as many as are available, so that the paid rows are not lost because of a few new ones.
   *
   * @param from Index of the first row that has not been requested.
   * @returns Index after the last row with reserved credits.
   * @throws {NotAttemptedError} when the first reservation exceeds the available credits.
   */
  holdUntil(end: number, from: number): number {
    const begin = Math.max(this.end, from);
    if (this.isFree || this.guard.limit === undefined || end <= begin) return end;
    const more = end - begin;
    const rows = this.end === 0 ? more : Math.min(more, this.rowsCovered);
    this.guard.check(rows);
    this.guard.reserve(rows);
    this.heldCredits += rows;
    this.end = begin + rows;
    return this.end;
  }

  /** Returns the unused reserved credits to the run. */
  release(): void {
    const { heldCredits } = this;
    this.heldCredits = 0;
    if (heldCredits > 0) this.guard.settle(heldCredits, 0);
  }

  /**
   * Requests a single row if all rows are wanted and Max Credits does not cover a page. Its response can
   * show the length of the list.
   *
   * @returns The row; undefined if no probe is needed.
   */
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
   * Returns the probed rows that no page has contained again, because they are paid for. A second call
   * does not return them again.
   *
   * @param isOver Whether no page follows.
   */
  takeProbedRows(isOver: boolean): FetchedPage[] {
    const { probed, beyond, paid } = this;
    this.probed = undefined;
    this.beyond = undefined;
    const isMissing = isOver || paid !== undefined;
    return [...(isMissing ? [probed] : []), beyond].filter((one) => one !== undefined);
  }

  /**
   * Returns the number of rows to request with the first page after {@link probeRow}.
   *
   * @param most Maximum number of rows.
   * @throws {NotAttemptedError} when Max Credits does not cover the list.
   */
  async getFirstPageSize({ page }: FetchedPage, most: number): Promise<number> {
    const { skip = 0 } = this.list;
    const { totalResults } = page.pagination;
    const paid = this.paid === undefined ? 0 : 1;
    if (totalResults === undefined) await this.refuseIfLonger(skip + paid);
    const covered = this.rowsCovered;
    const left = totalResults === undefined ? covered : totalResults - skip;
    if (left > covered + paid) throw this.guard.limitError();
    return Math.max(1, Math.min(most, left, covered));
  }

  /**
   * Checks that Max Credits covers up to `missing` rows from row `from` on. It sends up to one request, and
   * nothing if the length was already checked.
   *
   * @throws {NotAttemptedError} when Max Credits does not cover them.
   */
  async check(from: number, missing: number): Promise<void> {
    if (!this.checked && missing > this.rowsCovered) await this.refuseIfLonger(from);
    this.checked = true;
  }

  /** Returns whether the credits cover no page after row `end`, where an earlier probe found no row. */
  isReached(end: number): boolean {
    return end >= this.endsAt && this.rowsCovered < 1;
  }

  /** Returns how many rows of a page cost credits. A repeated row is free (API spec: Credits, 2). */
  private billed(rows: readonly Row[]): number {
    const { idOf } = this.list;
    if (this.paid === undefined || !rows.some((row) => idOf?.(row) === this.paid)) {
      return rows.length;
    }
    this.paid = undefined;
    return rows.length - 1;
  }

  /**
   * Probes the row after those that the credits cover from row `from` on.
   *
   * @throws {NotAttemptedError} when that row exists.
   */
  private async refuseIfLonger(from: number): Promise<void> {
    this.checked = true;
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
      // Some services reject a range after the end of the list.
      if (!isPossiblyTooLarge(error)) throw error;
    }
    this.endsAt = from + covered;
  }
}
