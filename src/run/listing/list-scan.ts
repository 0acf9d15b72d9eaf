import {
  CancelledError,
  isPossiblyTooLarge,
  NotFoundError,
  ServiceError,
} from '../../client/errors';
import type { Page } from '../responses/page';
import { CircuitBreaker, type RunGuards } from '../circuit-breaker';
import type { DistinctRows } from './distinct-rows';
import { GapFinder, withGaps, tooManyRequestsError } from './incomplete';
import { ListCredits } from './list-credits';
import type { ListingRequest } from './listing';
import {
  isFull,
  isLastPage,
  canBeFollowed,
  findRealSize,
  STREAMED_PAGE,
  type PageRange,
  type FetchedPage,
} from './paging';

/** A page of this way through the list. */
export interface ScannedPage extends FetchedPage {
  /** It was paid for, and nothing is asked for behind it: a page behind one that failed, a single row. */
  readonly isLoose?: true;
}

/** A page on its way. */
interface PrefetchedPage {
  readonly slice: PageRange;
  readonly answer: Promise<Page>;
}

/** One way through a list, from its first row to its last. */
export class ListScan {
  /** All rows that Max Credits covers have come, and the list has grown since it was measured by them. */
  hasOutgrownCredits = false;
  /** The refusal that was taken for the end. */
  refusal: ServiceError | undefined;
  /** While it is true nothing more is asked for; what is under way still comes. */
  isPaused = false;
  /** Requests for pages and rows. */
  requests = 0;
  /** Rows of a page, as far as the answers show it. */
  pageSize: number;
  private readonly breaker: CircuitBreaker;
  private readonly credits: ListCredits;
  private readonly prefetched: PrefetchedPage[] = [];
  /** The first row that no request has been sent for. */
  private planned: number;
  private total: number | undefined;
  /** The largest total that was said, or the row that was read last. */
  private longest = 0;
  /** Rows before this one have been read, or are not there. */
  private read: number;
  private lastFetched = 0;
  private answered = false;
  /** Of a second look. */
  private mostRequests = Infinity;
  /** The last answer said that there is more. */
  private hasMore = false;
  /** A page has said by which cursor it goes on; one without is the last. */
  private byCursor = false;
  /** Why a page failed, the first of them. */
  private failure: { readonly error: unknown } | undefined;

  /** @param before the way on which the list was read before: what came then is free now. */
  constructor(
    private readonly listing: ListingRequest,
    private readonly conditions: RunGuards,
    private readonly rows: DistinctRows,
    private readonly before?: ListScan,
  ) {
    const { paging, ceilings, endpoint = '', skip = 0, streamed } = listing;
    const [most = Infinity] = paging.sizes;
    const largest = streamed === true ? Math.min(STREAMED_PAGE, most) : most;
    this.breaker = new CircuitBreaker(false, conditions.breaker);
    this.credits = new ListCredits(listing, conditions.credits, this.send);
    this.planned = skip;
    this.read = skip;
    this.pageSize = before?.pageSize ?? Math.min(ceilings?.get(endpoint) ?? largest, largest);
  }

  /** Where the rows that are wanted end, as far as that is known. */
  private get end(): number {
    const { skip = 0, wanted = Infinity } = this.listing;
    return Math.min(this.total ?? Infinity, skip + wanted);
  }

  private get again(): boolean {
    return this.before !== undefined;
  }

  /** Rows that were wanted and that were there when there were most. */
  private get length(): number {
    const { skip = 0, wanted = Infinity } = this.listing;
    return Math.min(wanted, this.longest - skip);
  }

  async *pages(): AsyncGenerator<ScannedPage, void, undefined> {
    try {
      yield* this.inOrder();
      yield* this.drain();
    } catch (error) {
      const isKept = this.listing.keepsArrived === true || this.again;
      if (!isKept || !(error instanceof ServiceError) || error instanceof CancelledError)
        throw error;
      const gaps = new GapFinder(this.read);
      for await (const step of this.drain()) {
        gaps.record(step);
        yield step;
      }
      throw this.rows.taken === 0 ? error : withGaps(error, gaps.listUntil(this.end));
    } finally {
      // Nobody reads what is still under way; what waits for its turn is not sent.
      this.breaker.trip('the node stopped reading the list');
      this.credits.release();
    }
  }

  private async *inOrder(): AsyncGenerator<ScannedPage, void, undefined> {
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
      if (this.lastFetched === 1) yield* toLoosePages(this.credits.takeSingles(false));
      if (this.isPaused) continue;
      if (!this.continuesBehind(at, end)) return;
      await this.checkLength(at, end);
      this.continueBehind(at, end);
      await this.prefetch(end, at);
    }
  }

  /** What was sent for and is paid, though nothing more is: what comes of it is not given up. */
  private async *drain(): AsyncGenerator<ScannedPage, void, undefined> {
    this.breaker.trip('the node stopped reading the list');
    const ahead = this.prefetched.splice(0);
    if (this.rows.missing === 0) return;
    for (const { slice, answer } of ahead) {
      const page = await answer.catch(() => undefined);
      if (page !== undefined) yield { slice, page, isLoose: true };
    }
    yield* toLoosePages(this.credits.takeSingles(true));
  }

  /** Whether more is to be read behind a page that ends before row `end`. */
  private continuesBehind(at: FetchedPage, end: number): boolean {
    const { rows, next, pagination } = at.page;
    if (rows.length === 0 || this.rows.missing === 0) return false;
    if (this.credits.isReached(end)) {
      this.hasOutgrownCredits = pagination.hasNext === true || this.rows.repeated > 0;
      return false;
    }
    if (next !== undefined) this.byCursor = true;
    else if (this.byCursor) return pagination.hasNext === true;
    if (pagination.hasNext !== undefined) return pagination.hasNext;
    if (this.total === undefined) return canBeFollowed(at, this.listing);
    // A total may be capped, and then a page is full to its end.
    const mayBeCapped = this.listing.whole === true && isFull(at);
    return end < this.total || (mayBeCapped && this.credits.rowsCovered >= 1);
  }

  /** Decides where to read on behind a page, of which the first shows how long pages really are. */
  private continueBehind(at: ScannedPage, end: number): void {
    const { from, limit } = at.slice;
    const isFirst = this.lastFetched === 1;
    if (isFirst) this.pageSize = findRealSize(at) ?? this.pageSize;
    // Only a cursor leads on, and what it leads to is all that follows.
    if (isFirst || at.page.next !== undefined) this.planned = end;
    else if (this.prefetched.length === 0) {
      this.planned = this.listing.paging.beginsBySize ? Math.max(end, from + limit) : end;
    }
  }

  /** The first page; where Max Credits does not cover a full one, a single row before it. */
  private async first(): Promise<FetchedPage> {
    const most = Math.min(this.pageSize, this.rows.missing);
    if (this.before !== undefined)
      return await this.fetchFirst(this.firstSizeAgain(most, this.before));
    const look = await this.credits.probeRow();
    if (look === undefined) return await this.fetchFirst(most);
    if (!isLastPage(look)) return await this.fetchFirst(await this.credits.firstSize(look, most));
    this.credits.takeSingles(true);
    return look;
  }

  /**
   * How many rows the first page of a second look asks for, each of which could be new.
   *
   * @throws {NotAttemptedError} where both looks together would take more than twice the list's pages,
   * or the credits are for less than a page.
   */
  private firstSizeAgain(most: number, { length, pageSize, requests }: ListScan): number {
    const pages = Math.ceil(length / pageSize);
    this.mostRequests = 2 * pages - requests;
    if (pages > this.mostRequests) throw tooManyRequestsError();
    const { rowsCovered } = this.credits;
    const size = most <= rowsCovered ? most : Math.min(most, length);
    if (size > rowsCovered) throw this.credits.limitError();
    return Math.max(1, size);
  }

  /** The first page, of the largest size that the service takes. */
  private async fetchFirst(most: number, refused = false): Promise<FetchedPage> {
    const { paging, skip = 0, ceilings, endpoint = '' } = this.listing;
    try {
      const taken = await this.fetchFrom(skip, most);
      if (refused) ceilings?.set(endpoint, most);
      const served = findRealSize(taken);
      if (!paging.beginsBySize || skip === 0 || served === undefined) return taken;
      // This was not the page that begins at `skip`.
      this.pageSize = served;
      return await this.fetchFrom(skip, Math.min(served, most));
    } catch (error) {
      const smaller = paging.sizes.find((one) => one < most);
      // What a refusal is about cannot be told for sure; the smallest page decides.
      if (!isPossiblyTooLarge(error) || smaller === undefined) throw error;
      this.pageSize = smaller;
      return await this.fetchFirst(smaller, true);
    }
  }

  private async fetchFrom(from: number, most: number): Promise<FetchedPage> {
    const slice = this.listing.paging.slice(from, most);
    return { slice, page: await this.fetch(slice) };
  }

  /** Where no total tells it, makes sure that Max Credits covers what follows, before it is paid for. */
  private async checkLength(at: FetchedPage, end: number): Promise<void> {
    const mayGoOn = at.page.pagination.hasNext === true || isFull(at);
    if (this.again || (this.total ?? 0) > end || !mayGoOn) return;
    await this.credits.check(end, this.rows.missing);
  }

  /** Sends for the pages up to the end, as far as it is known, a few at a time. */
  private async prefetch(read: number, before: FetchedPage): Promise<void> {
    const { wanted, streamed = false, paging } = this.listing;
    // A total that is reached is no end where the service says that there is more.
    const total = this.total !== undefined && this.total > read ? this.total : undefined;
    const last = Math.min(total ?? read + this.pageSize, read + this.rows.missing);
    const isHeld = total !== undefined && !this.again;
    const end = isHeld ? await this.credits.holdUntil(last, this.planned) : last;
    const oneByOne = total === undefined || before.page.next !== undefined;
    const most = oneByOne ? 1 : paging.prefetch(this.lastFetched, streamed);
    while (this.planned < end && this.prefetched.length < most) {
      const rest = end - this.planned;
      const covered = this.credits.rowsCovered + (isHeld ? rest : 0);
      // Nothing behind the last row can be billed, but to a list that grows: credits cover that, or not.
      const isCut = wanted !== undefined || covered < this.pageSize;
      const size = Math.min(this.pageSize, isCut ? rest : Infinity);
      if (this.again && size > covered) {
        // Pages under way may turn out to cost less.
        if (this.prefetched.length > 0) return;
        throw this.credits.limitError();
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
      // Pages that wait for their turn would be billed for nothing.
      this.breaker.trip(error);
    });
    return { slice, answer };
  }

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

  /** Where nobody has said that there is more, a page that is refused is one behind the end. */
  private isEnd(error: unknown, { from }: PageRange): error is ServiceError {
    if (this.hasMore || from < (this.total ?? 0)) return false;
    return (
      isPossiblyTooLarge(error) || (this.total !== undefined && error instanceof NotFoundError)
    );
  }

  private async fetch(slice: PageRange): Promise<Page> {
    if (!this.again) return await this.credits.fetch(slice);
    return await this.credits.fetch(slice, (rows) => this.rows.countNew(rows));
  }

  private readonly send = async (slice: PageRange): Promise<Page> => {
    const { signal } = this.conditions;
    if (this.requests >= this.mostRequests) throw tooManyRequestsError();
    this.requests += 1;
    const first = !this.again && !this.answered;
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
