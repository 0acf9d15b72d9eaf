import {
  CancelledError,
  isPossiblyTooLarge,
  NotFoundError,
  ServiceError,
} from '../../client/errors';
import type { Page } from '../responses/page';
import { CircuitBreaker, type RunGuards } from '../circuit-breaker';
import type { DistinctRows } from './distinct-rows';
import { GapFinder, withGaps, createTooManyRequestsError } from './incomplete';
import { ListCredits } from './list-credits';
import type { ListingRequest } from './listing';
import {
  isFull,
  isLastPage,
  mayHaveNextPage,
  findActualPageSize,
  STREAMED_PAGE_SIZE,
  type PageRange,
  type FetchedPage,
} from './paging';

/** A page of one scan. */
export interface ScannedPage extends FetchedPage {
  /**
   * Whether the page is output only because it was paid for: it follows a failed page, or is a row that
   * was probed. The scan does not continue after it.
   */
  readonly isLoose?: true;
}

/** A page whose request is in flight. */
interface PrefetchedPage {
  readonly slice: PageRange;
  readonly answer: Promise<Page>;
}

/** Reads a list once, from its first row to its last, and prefetches pages. */
export class ListScan {
  /** Whether the list grew after Max Credits was checked, so that only the covered rows were read. */
  hasOutgrownCredits = false;
  /** Error response that was treated as the end of the list. */
  refusal: ServiceError | undefined;
  /** While true, the scan sends no new requests, but still reads the pages in flight. */
  isPaused = false;
  /** Number of requests sent, for pages and for probed rows. */
  requests = 0;
  /** Rows per page; corrected when a response shows the real size. */
  pageSize: number;
  private readonly breaker: CircuitBreaker;
  private readonly credits: ListCredits;
  private readonly prefetched: PrefetchedPage[] = [];
  /** Index of the first row that has not been requested. */
  private planned: number;
  private total: number | undefined;
  /** Largest length of the list that a response showed, by its total or by its rows. */
  private longest = 0;
  /** Index of the first row that has not been read. */
  private read: number;
  /** Number of pages that arrived in order. */
  private lastFetched = 0;
  private answered = false;
  /** Request limit of a second scan; see {@link getSecondScanPageSize}. */
  private mostRequests = Infinity;
  /** Whether the last response said that more rows follow. */
  private hasMore = false;
  /** Whether a page had a cursor. From then on, a page without a cursor is the last one. */
  private byCursor = false;
  /** The first failure of a prefetched page. */
  private failure: { readonly error: unknown } | undefined;

  /** @param firstScan First scan, if this is the second one. Rows that it read are free now. */
  constructor(
    private readonly listing: ListingRequest,
    private readonly conditions: RunGuards,
    private readonly rows: DistinctRows,
    private readonly firstScan?: ListScan,
  ) {
    const { paging, ceilings, endpoint = '', skip = 0, streamed } = listing;
    const [most = Infinity] = paging.sizes;
    const largest = streamed === true ? Math.min(STREAMED_PAGE_SIZE, most) : most;
    this.breaker = new CircuitBreaker(false, conditions.breaker);
    this.credits = new ListCredits(listing, conditions.credits, this.send);
    this.planned = skip;
    this.read = skip;
    this.pageSize = firstScan?.pageSize ?? Math.min(ceilings?.get(endpoint) ?? largest, largest);
  }

  /** Index after the last requested row; Infinity while it is unknown. */
  private get end(): number {
    const { skip = 0, wanted = Infinity } = this.listing;
    return Math.min(this.total ?? Infinity, skip + wanted);
  }

  /** Whether this is the second scan. */
  private get isSecondScan(): boolean {
    return this.firstScan !== undefined;
  }

  /** Number of requested rows when the list was longest. */
  private get length(): number {
    const { skip = 0, wanted = Infinity } = this.listing;
    return Math.min(wanted, this.longest - skip);
  }

  /**
   * Yields the pages in order. If a page fails, it still yields the pages in flight when arrived rows are
   * kept, and then throws.
   *
   * @throws {ServiceError} when a page fails; its details name the missing rows.
   * @throws {NotAttemptedError} when the rows can cost more than Max Credits covers.
   */
  async *pages(): AsyncGenerator<ScannedPage, void, undefined> {
    try {
      yield* this.readInOrder();
      yield* this.drain();
    } catch (error) {
      const isKept = this.listing.keepsArrived === true || this.isSecondScan;
      if (!isKept || !(error instanceof ServiceError) || error instanceof CancelledError)
        throw error;
      const gaps = new GapFinder(this.read);
      for await (const step of this.drain()) {
        gaps.record(step);
        yield step;
      }
      throw this.rows.taken === 0 ? error : withGaps(error, gaps.listGaps(this.end));
    } finally {
      // No page is read anymore, so do not send the requests that still wait in the queue.
      this.breaker.trip('the node stopped reading the list');
      this.credits.release();
    }
  }

  private async *readInOrder(): AsyncGenerator<ScannedPage, void, undefined> {
    for (
      let at: ScannedPage | undefined = await this.first();
      at !== undefined;
      at = await this.next()
    ) {
      const { page } = at;
      const end = at.slice.from + page.rows.length;
      this.total = page.pagination.totalResults ?? this.total;
      this.longest = Math.max(this.longest, this.total ?? 0, end);
      yield at;
      this.read = end;
      this.lastFetched += 1;
      if (this.lastFetched === 1) yield* toLoosePages(this.credits.takeProbedRows(false));
      if (this.isPaused) continue;
      if (!this.mayContinueAfter(at, end)) return;
      await this.checkLength(at, end);
      this.continueAfter(at, end);
      this.prefetch(end, at);
    }
  }

  /** Sends nothing more, but yields the pages in flight, because they are paid for. */
  private async *drain(): AsyncGenerator<ScannedPage, void, undefined> {
    this.breaker.trip('the node stopped reading the list');
    const ahead = this.prefetched.splice(0);
    if (this.rows.missing === 0) return;
    for (const { slice, answer } of ahead) {
      const page = await answer.catch(() => undefined);
      if (page !== undefined) yield { slice, page, isLoose: true };
    }
    yield* toLoosePages(this.credits.takeProbedRows(true));
  }

  /** Returns whether to read on after a page that ends before row `end`. */
  private mayContinueAfter(at: FetchedPage, end: number): boolean {
    const { rows, next, pagination } = at.page;
    if (rows.length === 0 || this.rows.missing === 0) return false;
    if (this.credits.isReached(end)) {
      this.hasOutgrownCredits = pagination.hasNext === true || this.rows.repeated > 0;
      return false;
    }
    if (next !== undefined) this.byCursor = true;
    else if (this.byCursor) return pagination.hasNext === true;
    if (pagination.hasNext !== undefined) return pagination.hasNext;
    if (this.total === undefined) return mayHaveNextPage(at, this.listing);
    // A total may be capped. Then the list continues after it, and the page is full.
    const mayBeCapped = this.listing.whole === true && isFull(at);
    return end < this.total || (mayBeCapped && this.credits.rowsCovered >= 1);
  }

  /** Sets the next row to request after a page. The first page shows the real page size. */
  private continueAfter(at: ScannedPage, end: number): void {
    const { from, limit } = at.slice;
    const isFirst = this.lastFetched === 1;
    if (isFirst) this.pageSize = findActualPageSize(at) ?? this.pageSize;
    // With a cursor, the next page starts directly after this one, whatever its size.
    if (isFirst || at.page.next !== undefined) this.planned = end;
    else if (this.prefetched.length === 0) {
      this.planned = this.listing.paging.beginsBySize ? Math.max(end, from + limit) : end;
    }
  }

  /** Fetches the first page. If Max Credits does not cover a full page, it probes a single row first. */
  private async first(): Promise<FetchedPage> {
    const most = Math.min(this.pageSize, this.rows.missing);
    if (this.firstScan !== undefined)
      return await this.fetchFirst(this.getSecondScanPageSize(most, this.firstScan));
    const probed = await this.credits.probeRow();
    if (probed === undefined) return await this.fetchFirst(most);
    if (!isLastPage(probed))
      return await this.fetchFirst(await this.credits.getFirstPageSize(probed, most));
    this.credits.takeProbedRows(true);
    return probed;
  }

  /**
   * Returns the number of rows to request with the first page of a second scan. Each of them could be new
   * and cost credits.
   *
   * @throws {NotAttemptedError} when both scans together would send more than 2 requests per page of the
   *   list, or when the credits do not cover a page.
   */
  private getSecondScanPageSize(most: number, { length, pageSize, requests }: ListScan): number {
    const pages = Math.ceil(length / pageSize);
    this.mostRequests = 2 * pages - requests;
    if (pages > this.mostRequests) throw createTooManyRequestsError();
    const { rowsCovered } = this.credits;
    const size = most <= rowsCovered ? most : Math.min(most, length);
    if (size > rowsCovered) throw this.conditions.credits.limitError();
    return Math.max(1, size);
  }

  /**
   * Fetches the first page with the largest size that the service accepts.
   *
   * @param most Maximum number of rows.
   * @param refused Whether the service refused a larger page.
   */
  private async fetchFirst(most: number, refused = false): Promise<FetchedPage> {
    const { paging, skip = 0, ceilings, endpoint = '' } = this.listing;
    try {
      const taken = await this.fetchFrom(skip, most);
      if (refused) ceilings?.set(endpoint, most);
      const served = findActualPageSize(taken);
      if (!paging.beginsBySize || skip === 0 || served === undefined) return taken;
      // With another page size, the page with this number does not start at `skip`.
      this.pageSize = served;
      return await this.fetchFrom(skip, Math.min(served, most));
    } catch (error) {
      const smaller = paging.sizes.find((one) => one < most);
      // The error does not say for certain that the page is too large, so try down to the smallest size.
      if (!isPossiblyTooLarge(error) || smaller === undefined) throw error;
      this.pageSize = smaller;
      return await this.fetchFirst(smaller, true);
    }
  }

  private async fetchFrom(from: number, most: number): Promise<FetchedPage> {
    const slice = this.listing.paging.slice(from, most);
    return { slice, page: await this.fetch(slice) };
  }

  /**
   * Checks that Max Credits covers the rest of a list without a total, before more of it is paid for.
   *
   * @throws {NotAttemptedError} when it does not.
   */
  private async checkLength(at: FetchedPage, end: number): Promise<void> {
    const mayGoOn = at.page.pagination.hasNext === true || isFull(at);
    if (this.isSecondScan || (this.total ?? 0) > end || !mayGoOn) return;
    await this.credits.check(end, this.rows.missing);
  }

  /**
   * Requests the next pages, up to the known end of the list.
   *
   * @param read Number of rows read so far.
   * @param before The last page, whose cursor leads on.
   * @throws {NotAttemptedError} when the credits do not cover the rest of the list.
   */
  private prefetch(read: number, before: FetchedPage): void {
    const { wanted, streamed = false, paging } = this.listing;
    // A total that is already reached says nothing about the end if the service says that more follows.
    const total = this.total !== undefined && this.total > read ? this.total : undefined;
    const last = Math.min(total ?? read + this.pageSize, read + this.rows.missing);
    const isHeld = total !== undefined && !this.isSecondScan;
    const end = isHeld ? this.credits.holdUntil(last, this.planned) : last;
    const oneByOne = total === undefined || before.page.next !== undefined;
    const most = oneByOne ? 1 : paging.prefetch(this.lastFetched, streamed);
    while (this.planned < end && this.prefetched.length < most) {
      const rest = end - this.planned;
      const covered = this.credits.rowsCovered + (isHeld ? rest : 0);
      // A full page is safe after the last row, unless the list grows. Request one only if credits cover it.
      const isCut = wanted !== undefined || covered < this.pageSize;
      const size = Math.min(this.pageSize, isCut ? rest : Infinity);
      if (this.isSecondScan && size > covered) {
        // Pages in flight may cost less than expected.
        if (this.prefetched.length > 0) return;
        throw this.conditions.credits.limitError();
      }
      const next = this.requestPage(this.planned, Math.max(1, Math.min(size, covered)), before);
      this.prefetched.push(next);
      this.planned += next.slice.limit;
    }
  }

  private requestPage(from: number, most: number, before: FetchedPage): PrefetchedPage {
    const slice = this.listing.paging.slice(from, most, before);
    const answer = this.fetch(slice);
    answer.catch((error: unknown) => {
      if (this.isEnd(error, slice)) return;
      this.failure ??= { error };
      // Queued pages would be charged but not used.
      this.breaker.trip(error);
    });
    return { slice, answer };
  }

  /** Returns the next prefetched page; undefined at the end of the list. */
  private async next(): Promise<ScannedPage | undefined> {
    const next = this.prefetched.shift();
    if (next === undefined) return undefined;
    const { slice, answer } = next;
    try {
      return { slice, page: await answer };
    } catch (error) {
      if (!this.isEnd(error, slice)) throw this.failure === undefined ? error : this.failure.error;
      this.refusal = error;
      return undefined;
    }
  }

  /** Returns whether a failed page lies after the end of the list, because no response promised more rows. */
  private isEnd(error: unknown, { from }: PageRange): error is ServiceError {
    if (this.hasMore || from < (this.total ?? 0)) return false;
    return (
      isPossiblyTooLarge(error) || (this.total !== undefined && error instanceof NotFoundError)
    );
  }

  private async fetch(slice: PageRange): Promise<Page> {
    if (!this.isSecondScan) return await this.credits.fetch(slice);
    return await this.credits.fetch(slice, (rows) => this.rows.countNew(rows));
  }

  private readonly send = async (slice: PageRange): Promise<Page> => {
    const { signal } = this.conditions;
    if (this.requests >= this.mostRequests) throw createTooManyRequestsError();
    this.requests += 1;
    const first = !this.isSecondScan && !this.answered;
    const page = await this.listing.fetch(slice, first, {
      signal,
      beforeSend: this.breaker.assertClosed,
    });
    this.answered = true;
    this.hasMore = page.pagination.hasNext === true;
    return page;
  };
}

function toLoosePages(taken: readonly FetchedPage[]): ScannedPage[] {
  return taken.map((one) => ({ ...one, isLoose: true }));
}
