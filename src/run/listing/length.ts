import type { Row } from '../answers/rows';
import type { CreditGuard } from '../credit-guard';
import { mayBeTooLarge } from '../../client/errors';
import type { HeldCredits } from './held-credits';
import type { Page } from './pages';
import type { Slice, Taken } from './paging';
import type { ListingRequest } from './pass';

/**
 * How long a list is, as far as that has to be known before it is paid for: with Max Credits a list
 * is read whole, or refused for the credits of a row or two.
 */
export class Length {
  /** A row at this place was looked for, and there is none. */
  private ends = Infinity;
  /** The id of a row that was read alone. */
  private paid: string | undefined;
  private checked = false;

  constructor(
    private readonly listing: ListingRequest,
    private readonly credits: HeldCredits,
    private readonly guard: CreditGuard,
    private readonly fetch: (slice: Slice) => Promise<Page>,
  ) {}

  /** Whether a page that ends before row `end` is the last one that can be paid, and none follows. */
  isReached(end: number): boolean {
    return end >= this.ends && this.credits.rowsCovered < 1;
  }

  /** Where all rows are wanted and Max Credits does not cover a page, a single row, to see what is said with it. */
  async look(): Promise<Taken | undefined> {
    const { wanted, skip = 0, paging, idOf } = this.listing;
    const [largest = Infinity] = paging.sizes;
    const covered = this.credits.rowsCovered;
    if (largest <= covered || covered < 1 || wanted !== undefined) return undefined;
    const slice = paging.slice(skip, 1);
    const page = await this.fetch(slice);
    this.paid = page.rows.map((row) => idOf?.(row))[0];
    return { slice, page };
  }

  /**
   * How many rows behind a {@link look} the first page asks for.
   *
   * @throws {NotAttemptedError} when Max Credits does not cover the list.
   */
  async firstSize({ page }: Taken, asked: number): Promise<number> {
    const { skip = 0 } = this.listing;
    const { totalResults } = page.pagination;
    const paid = this.paid === undefined ? 0 : 1;
    if (totalResults === undefined) await this.refuseIfLonger(skip + paid);
    const covered = this.credits.rowsCovered;
    const left = totalResults === undefined ? covered : totalResults - skip;
    if (left > covered + paid) throw this.guard.reached();
    return Math.max(1, Math.min(asked, left, covered));
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
    if (missing > this.credits.rowsCovered) await this.refuseIfLonger(from);
  }

  /** How many of the rows of a page are to be paid: what comes again is free (interface: Credits, 2). */
  billed(rows: readonly Row[]): number {
    const { idOf } = this.listing;
    if (this.paid === undefined || !rows.some((row) => idOf?.(row) === this.paid)) {
      return rows.length;
    }
    this.paid = undefined;
    return rows.length - 1;
  }

  /** Looks whether there is a row behind those that the credits cover, from row `from` on. */
  private async refuseIfLonger(from: number): Promise<void> {
    const covered = this.credits.rowsCovered;
    if (covered < 1) throw this.guard.reached();
    try {
      const { rows } = await this.fetch(this.listing.paging.slice(from + covered, 1));
      if (rows.length > 0) throw this.guard.reached();
    } catch (error) {
      // Some services refuse what is behind the end.
      if (!mayBeTooLarge(error)) throw error;
    }
    this.ends = from + covered;
  }
}
