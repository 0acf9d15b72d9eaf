import type { CallOptions } from '../../client/client';
import { CancelledError, ServiceError } from '../../client/errors';
import type { Page } from '../responses/page';
import type { Row } from '../responses/rows';
import type { RunGuards } from '../circuit-breaker';
import { DistinctRows, type GetRowId } from './distinct-rows';
import {
  LIST_GREW,
  createIncompleteError,
  isNearlyComplete,
  formatNoOtherRows,
  formatNoSecondScan,
  formatRefusedPage,
  createRepeatedPageError,
  formatShortfall,
  NO_LIST_IN_RESPONSE,
} from './incomplete';
import { isFull, type Paging, type PageRange } from './paging';
import { ListScan, type ScannedPage } from './list-scan';

/** The rows of a list to read. */
export interface RowRange {
  /** Number of rows; undefined for all. */
  readonly wanted: number | undefined;
  /** Number of rows to skip before the first; default 0. */
  readonly skip?: number;
  /** Whether rows are passed on page by page. Fewer pages are prefetched then, to limit memory. */
  readonly streamed?: boolean;
  /** Whether to return the rows that arrived before a page failed, because they are paid for. */
  readonly keepsArrived?: boolean;
  /** Whether only the whole list is usable. Missing rows are an error then, unless {@link isNearlyComplete}. */
  readonly whole?: boolean;
}

/** Every row of a list. */
export const ALL_ROWS: RowRange = { wanted: undefined };

/** All rows or none; see {@link RowRange.whole}. */
export const WHOLE_LIST: RowRange = { ...ALL_ROWS, whole: true };

/** A list to read. */
export interface ListingRequest extends RowRange {
  /** Paging method of the endpoint. */
  readonly paging: Paging;
  /** True if reading is free; otherwise a row costs up to 1 credit. */
  readonly isFree?: boolean;
  /** Returns the ID of a row. Without it, repeated rows are not removed. */
  readonly idOf?: GetRowId;
  /**
   * Requests a page.
   *
   * @param first Whether no response has arrived yet. Only the first request can make the service recompute.
   */
  readonly fetch: (slice: PageRange, first: boolean, options: CallOptions) => Promise<Page>;
  /** Largest page size that the service accepted after it refused a larger one, by `endpoint`. */
  readonly ceilings?: Map<string, number>;
  readonly endpoint?: string;
}

/** The requested rows, in the order of the service. */
export interface Listing {
  readonly rows: readonly Row[];
  /** Fields of the first page other than its rows. */
  readonly context: Row;
  /** Total number of rows in the list, if the service stated it. */
  readonly total: number | undefined;
  /** The failure that ended the list early, if arrived rows are kept. */
  readonly failure?: ServiceError;
}

/**
 * Collects the rows of all pages.
 *
 * @param keepsArrived See {@link RowRange}.
 * @throws {ServiceError} when a page fails, unless arrived pages are kept.
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
    failure,
    rows: all.flatMap(({ rows }) => rows),
    context: all[0]?.context ?? {},
    total: all[0]?.pagination.totalResults,
  };
}

/**
 * Reads the requested rows of a list, page by page and in order. It never requests more rows than
 * needed, because rows cost credits. It does not follow `next_url`, which could send the key to another
 * host. It sends nothing until the first page is consumed, and always yields a first page, even if that
 * is empty.
 *
 * The service decides whether more rows follow (`has_next`, `has_more`). A total only allows prefetching,
 * a few pages at first. An empty page is the end. Each row is yielded once. If rows moved during the scan,
 * a second scan looks for missed rows. If rows are still missing or moving, a warning shows the figures.
 *
 * With Max Credits, the list is read completely or not at all, because a paid part would be useless.
 * Refusing a list that is too long costs one or two rows. The second scan costs credits only for new rows
 * (API spec: Credits, 2). If it fails, the rows of the first scan remain, with a warning.
 *
 * @throws {InvalidResponseError} `page_ignored` or `offset_ignored` when the service repeats the same
 *   rows; `list_incomplete` when only the whole list is usable and rows may be missing.
 * @throws {NotAttemptedError} when the rows can cost more than the run may spend.
 */
export function readListing(
  listing: ListingRequest,
  conditions: RunGuards,
): AsyncGenerator<Page, void, undefined> {
  return new ListReader(listing, conditions).pages();
}

/** Minimum number of remembered IDs of a streamed list. For other lists, whose rows stay in memory, all are. */
const REMEMBERED_IDS = 50_000;

class ListReader {
  private readonly rows: DistinctRows;
  private readonly first: ListScan;
  /** All totals that the service stated, the latest one last. */
  private readonly totals = new Set<number>();
  /** Whether a response had no list at all. */
  private silent = false;
  /** Whether the service keeps sending the same rows. */
  private stuck = false;
  /** Whether the last page was full, so that the list may continue after it. */
  private filled = false;
  /** Number of rows in the longest page so far. */
  private longest = 0;
  /** Whether rows moved during the last scan. */
  private moved = false;
  /** Whether the total changed during the last scan. */
  private unsteady = false;
  /** The failure that ended the second scan. */
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
      // The pages in flight show whether rows have only moved.
      this.first.isPaused = isStuck;
      this.stuck = isStuck;
      // Rows without an ID would be output again and again.
      if (!isStuck || this.listing.idOf !== undefined) {
        yield { ...page, rows: this.rows.take(page.rows) };
      }
    }
    const { ifStuck } = this.listing.paging;
    if (this.stuck && ifStuck !== undefined) throw createRepeatedPageError(ifStuck);
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
        const fresh = this.rows.takeOnSecondScan(page.rows);
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
    // If the service limits its pages, they usually have a round number of rows.
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

  /** Number of rows that should have arrived. */
  private get expected(): number {
    const { wanted = Infinity, skip = 0 } = this.listing;
    return Math.min(wanted, ([...this.totals].at(-1) ?? 0) - skip);
  }

  /** Whether rows seem to be missing. An undocumented total may count something else. */
  private get isShort(): boolean {
    return this.rows.taken < this.expected || (this.moved && this.rows.missing > 0);
  }

  /**
   * Warns about rows that may be missing.
   *
   * @throws {InvalidResponseError} when only the whole list is usable.
   */
  private conclude(): void {
    const { listing, conditions, rows, totals } = this;
    const lack = listing.whole === true ? this.incompleteReason() : undefined;
    const details = { read: rows.taken, totals: [...totals] };
    if (lack !== undefined) throw createIncompleteError(lack, details);
    if (this.silent) conditions.warn(NO_LIST_IN_RESPONSE);
    const doubt = this.doubtReason();
    if (doubt !== undefined) conditions.warn(doubt);
  }

  /** Returns why rows may be missing from a list that must be whole; undefined if none are. */
  private incompleteReason(): string | undefined {
    const { rows, totals } = this;
    const isAll = totals.size > 0 && rows.taken >= this.expected;
    const refusal = (this.filled && !isAll ? this.first.refusal : undefined) ?? this.unchecked;
    if (refusal !== undefined) return formatRefusedPage(rows, refusal);
    if (this.first.hasOutgrownCredits) return LIST_GREW;
    if (this.silent) return NO_LIST_IN_RESPONSE;
    const isShort = this.isShort && (this.unsteady || !isNearlyComplete(rows.taken, this.expected));
    return isShort ? formatShortfall(rows, totals, this.expected) : undefined;
  }

  /** Returns the warning about other lists; undefined if there is none. */
  private doubtReason(): string | undefined {
    const { rows, totals, unchecked } = this;
    if (this.stuck) return formatNoOtherRows(rows);
    if (this.first.hasOutgrownCredits) return LIST_GREW;
    if (unchecked !== undefined) return formatNoSecondScan(rows, unchecked);
    const isWarned = this.isShort && this.listing.paging.ifStuck !== undefined;
    return isWarned ? formatShortfall(rows, totals, this.expected) : undefined;
  }
}
