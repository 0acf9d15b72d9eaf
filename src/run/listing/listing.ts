import type { CallOptions } from '../../client/client';
import { CancelledError, ServiceError } from '../../client/errors';
import type { Page } from '../responses/page';
import type { Row } from '../responses/rows';
import type { RunGuards } from '../circuit-breaker';
import { DistinctRows, type IdOf } from './distinct-rows';
import {
  LIST_GREW,
  incompleteError,
  isNearlyAll,
  noOtherRowsText,
  noSecondScanText,
  refusedBehindText,
  repeatedPageError,
  shortfallText,
  NO_LIST_IN_RESPONSE,
} from './incomplete';
import { isFull, type Paging, type PageRange } from './paging';
import { ListScan, type ScannedPage } from './list-scan';

/** Which rows of a list are wanted. */
export interface RowRange {
  /** How many; undefined for all. */
  readonly wanted: number | undefined;
  /** Rows to leave out before the first; none if left out. */
  readonly skip?: number;
  /** True when rows are passed on page by page: few are read ahead, so that memory stays bounded. */
  readonly streamed?: boolean;
  /** True when rows that have arrived are wanted although a later page fails: they are paid for. */
  readonly keepsArrived?: boolean;
  /** True when a part of the list is worth nothing: what may not be all of it, or {@link isNearlyAll}, is an error. */
  readonly whole?: boolean;
}

/** Every row of a list. */
export const ALL_ROWS: RowRange = { wanted: undefined };

/** All rows, or none; see {@link RowRange.whole}. */
export const WHOLE_LIST: RowRange = { ...ALL_ROWS, whole: true };

/** A list that is to be read. */
export interface ListingRequest extends RowRange {
  /** How the endpoint has pages. */
  readonly paging: Paging;
  /** Credits one row costs at most: 0 where reading is free; 1 if left out. */
  readonly creditsPerRow?: number;
  /** By what rows are told apart; without, they are passed on as they come. */
  readonly idOf?: IdOf;
  /** @param first true until the first answer: it alone may ask the service to recompute. */
  readonly fetch: (slice: PageRange, first: boolean, options: CallOptions) => Promise<Page>;
  /** Page sizes that the service refused to exceed are remembered here, under `endpoint`. */
  readonly ceilings?: Map<string, number>;
  readonly endpoint?: string;
}

/** All rows that were wanted, in the order of the service. */
export interface Listing {
  readonly rows: readonly Row[];
  /** What the first page says beside its rows. */
  readonly context: Row;
  /** Rows there are in all, when the service said so. */
  readonly total: number | undefined;
  /** Why there are no rows behind these, where what had arrived is kept. */
  readonly failure?: ServiceError;
}

/**
 * All rows of the pages.
 *
 * @param keepsArrived see {@link RowRange}.
 * @throws {ServiceError} when a page fails, unless pages have come that are to be kept.
 */
export async function collectListing(
  pages: AsyncIterable<Page>,
  keepsArrived = false,
): Promise<Listing> {
  const all: Page[] = [];
  let failure: ServiceError | undefined;
  try {
    for await (const page of pages) all.push(page);
  } catch (error) {
    const isKept = keepsArrived && all.length > 0;
    if (!isKept || !(error instanceof ServiceError) || error instanceof CancelledError) throw error;
    failure = error;
  }
  return {
    ...(failure === undefined ? {} : { failure }),
    rows: all.flatMap(({ rows }) => rows),
    context: all[0]?.context ?? {},
    total: all[0]?.pagination.totalResults,
  };
}

/**
 * Reads as many rows as are wanted, page by page and in order, and never asks for more, because rows
 * are billed. `next_url` is not followed, it could lead the key to another host. Nothing is sent
 * before the first page is taken; there is always a first page, if only an empty one.
 *
 * That there is more is for the service to say (`has_next`, `has_more`); a total only allows to read
 * ahead, a few pages at first. An empty page is the end. Each row comes once. When rows have moved
 * meanwhile, the list is read once more for those that were missed; what cannot be reconciled, and rows
 * that still move, are told with the figures.
 *
 * With Max Credits it is all or nothing: half a list that was paid for would be thrown away. A list
 * that is too long is refused for the credits of a row or two. The second look costs nothing but rows
 * that are new (API spec: Credits, 2), and takes nothing away: whatever becomes of it, the rows of the
 * first one have come out, and the user is told what it could not check.
 *
 * @throws {InvalidResponseError} `page_ignored`, `offset_ignored` when the service sends the same rows
 * again; `list_incomplete` where the list is wanted whole, and this may not be all of it.
 * @throws {NotAttemptedError} when the rows may cost more than the run may spend.
 */
export function readListing(
  listing: ListingRequest,
  conditions: RunGuards,
): AsyncGenerator<Page, void, undefined> {
  return new ListReader(listing, conditions).pages();
}

/** Ids of a list that goes to a file which are surely remembered; of others, whose rows are kept, all. */
const REMEMBERED_IDS = 50_000;

class ListReader {
  private readonly rows: DistinctRows;
  private readonly first: ListScan;
  /** Each that was said, the last one last. */
  private readonly totals = new Set<number>();
  /** An answer had no list at all. */
  private silent = false;
  /** The service sends the same rows again. */
  private stuck = false;
  /** The last page was as long as pages are: behind it the list may go on. */
  private filled = false;
  private longest = 0;
  /** Rows have moved while they were read. */
  private moved = false;
  /** So has the total. */
  private unsteady = false;
  /** Why the second look could not be finished. */
  private unchecked: ServiceError | undefined;

  constructor(
    private readonly listing: ListingRequest,
    private readonly conditions: RunGuards,
  ) {
    const { idOf, wanted = Infinity, streamed = false } = listing;
    this.rows = new DistinctRows(idOf, wanted, streamed ? REMEMBERED_IDS : Infinity);
    this.first = new ListScan(listing, conditions, this.rows);
  }

  async *pages(): AsyncGenerator<Page, void, undefined> {
    yield* this.firstScan();
    const { stuck, moved, rows } = this;
    if (!stuck && moved && rows.missing > 0 && rows.complete) yield* this.secondScan();
    this.conclude();
  }

  private async *firstScan(): AsyncGenerator<Page, void, undefined> {
    const totals = new Set<number>();
    for await (const step of this.first.pages()) {
      const { page, isLoose = false } = step;
      this.recordPage(step, totals);
      const isStuck = !isLoose && this.rows.isStuckAt(page.rows);
      // Pages that are under way show whether rows have only moved.
      this.first.isPaused = isStuck;
      this.stuck = isStuck;
      // Rows that nothing tells apart would come again and again.
      if (!isStuck || this.listing.idOf !== undefined) {
        yield { ...page, rows: this.rows.take(page.rows) };
      }
    }
    const { ifStuck } = this.listing.paging;
    if (this.stuck && ifStuck !== undefined) throw repeatedPageError(ifStuck);
    this.moved = this.hasMoved(totals);
  }

  private async *secondScan(): AsyncGenerator<Page, void, undefined> {
    const totals = new Set<number>();
    try {
      for await (const { page } of new ListScan(
        this.listing,
        this.conditions,
        this.rows,
        this.first,
      ).pages()) {
        this.noteTotal(page, totals);
        const fresh = this.rows.takeAgain(page.rows);
        if (fresh.length > 0) yield { ...page, rows: fresh };
      }
      this.moved = this.hasMoved(totals);
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
      this.unchecked = error;
    }
  }

  private recordPage(step: ScannedPage, totals: Set<number>): void {
    const { page } = step;
    this.noteTotal(page, totals);
    this.silent ||= page.isSilent === true;
    // A round number of rows is what pages have that the service cuts.
    this.filled = isFull(step) || page.rows.length === this.longest || page.rows.length % 10 === 0;
    this.longest = Math.max(this.longest, page.rows.length);
  }

  private noteTotal({ pagination: { totalResults } }: Page, totals: Set<number>): void {
    if (totalResults === undefined) return;
    totals.add(totalResults);
    this.totals.delete(totalResults);
    this.totals.add(totalResults);
  }

  private hasMoved(totals: ReadonlySet<number>): boolean {
    this.unsteady = totals.size > 1;
    return this.unsteady || (this.rows.repeated > 0 && this.rows.taken < this.expected);
  }

  /** Rows that should have come. */
  private get expected(): number {
    const { wanted = Infinity, skip = 0 } = this.listing;
    return Math.min(wanted, ([...this.totals].at(-1) ?? 0) - skip);
  }

  /** Whether rows are missing; where totals are not documented they may count something else. */
  private get isShort(): boolean {
    return this.rows.taken < this.expected || (this.moved && this.rows.missing > 0);
  }

  /** Refuses a list that is wanted whole and may not be; of others, tells what may be missing. */
  private conclude(): void {
    const { listing, conditions, rows, totals } = this;
    const lack = listing.whole === true ? this.incompleteReason() : undefined;
    const details = { read: rows.taken, totals: [...totals] };
    if (lack !== undefined) throw incompleteError('The list', lack, details);
    if (this.silent) conditions.warn(NO_LIST_IN_RESPONSE);
    const doubt = this.doubtReason();
    if (doubt !== undefined) conditions.warn(doubt);
  }

  /** Why this may not be the whole list. */
  private incompleteReason(): string | undefined {
    const { rows, totals } = this;
    const isAll = totals.size > 0 && rows.taken >= this.expected;
    const refusal = (this.filled && !isAll ? this.first.refusal : undefined) ?? this.unchecked;
    if (refusal !== undefined) return refusedBehindText(rows, refusal);
    if (this.first.hasOutgrownCredits) return LIST_GREW;
    if (this.silent) return NO_LIST_IN_RESPONSE;
    const isShort = this.isShort && (this.unsteady || !isNearlyAll(rows.taken, this.expected));
    return isShort ? shortfallText(rows, totals, this.expected) : undefined;
  }

  private doubtReason(): string | undefined {
    const { rows, totals, unchecked } = this;
    if (this.stuck) return noOtherRowsText(rows);
    if (this.first.hasOutgrownCredits) return LIST_GREW;
    if (unchecked !== undefined) return noSecondScanText(rows, unchecked);
    const isTold = this.isShort && this.listing.paging.ifStuck !== undefined;
    return isTold ? shortfallText(rows, totals, this.expected) : undefined;
  }
}
