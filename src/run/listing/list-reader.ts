import { CancelledError, NotFoundError, ServiceError } from '../../client/errors';
import type { Page } from '../responses/page';
import { CircuitBreaker, type RunGuards } from '../run-guards';
import { DistinctRows } from './distinct-rows';
import { addGap, createIncompleteError, formatCut, formatShortfall, type Gap } from './incomplete';
import { toPageRange, type ListingRequest, type PageRange } from './listing';
import {
  beginList,
  isMisplaced,
  notePage,
  noteServedSize,
  planPage,
  STREAMED_PAGE_SIZE,
  type Progress,
} from './progress';

/** IDs that a streamed list remembers. Other lists, whose rows stay in memory, remember all. */
const REMEMBERED_IDS = 50_000;

interface PageInFlight extends PageRange {
  readonly response: Promise<Page>;
}

/**
 * Reads the requested rows page by page and in order, each row once. It never requests more rows than are wanted
 * or than the credits cover, because rows are charged. It does not follow `next_url`, which could send the key to
 * another host. If a page fails, the pages in flight still come out, because they were charged.
 */
export class ListReader {
  private readonly rows: DistinctRows;
  private readonly breaker: CircuitBreaker;
  private readonly inFlight: PageInFlight[] = [];
  private readonly gaps: Gap[] = [];
  /** IDs of rows that are requested again; a second time they are free (API spec: Credits, 2). */
  private readonly charged = new Set<string | undefined>();
  private progress: Progress;
  private planned: number;
  private failure: ServiceError | undefined;

  constructor(
    private readonly list: ListingRequest,
    private readonly guards: RunGuards,
  ) {
    const { idOf, paging, skip = 0, streamed = false, wanted = Infinity } = list;
    this.rows = new DistinctRows(idOf, wanted, streamed ? REMEMBERED_IDS : Infinity);
    this.breaker = new CircuitBreaker(false, guards.breaker);
    const pageSize = streamed ? Math.min(STREAMED_PAGE_SIZE, paging.size) : paging.size;
    this.progress = beginList(pageSize, skip);
    this.planned = skip;
  }

  /**
   * Sends nothing until the first page is consumed, and always yields a first page, even if that is empty.
   *
   * @throws {ServiceError} if a page fails; its details name the missing rows.
   * @throws {NotAttemptedError} if the credits cover no row, or not the whole list that is needed.
   * @throws {InvalidResponseError} `list_incomplete` if only the whole list is usable and rows may be missing.
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    try {
      for (let next = await this.next(); next !== undefined; next = await this.next()) {
        const page = await this.receive(next);
        if (page === undefined || this.isSentAgain(next, page)) continue;
        const isRepetition = this.rows.isRepetition(page.rows);
        const rows = isRepetition ? [] : this.rows.take(page.rows);
        if (rows.length > 0 || this.progress.pagesRead === 0) yield { ...page, rows };
        this.advance(next, page, isRepetition);
        if (this.rows.missing === 0) break;
      }
    } finally {
      // No page is read anymore, so do not send the requests that still wait in the queue.
      this.breaker.trip('the node stopped reading the list');
    }
    this.conclude();
  }

  private async next(): Promise<PageInFlight | undefined> {
    if (this.progress.ending === undefined && this.failure === undefined) await this.requestMore();
    return this.inFlight.shift();
  }

  private async requestMore(): Promise<void> {
    const { inFlight, list, rows } = this;
    const { credits } = this.guards;
    const plan = () => planPage(this.progress, list, this.planned, rows.missing, inFlight);
    for (let most = plan(); most !== undefined; most = plan()) {
      const isAlone = inFlight.length === 0;
      if (!isAlone && list.isFree !== true && !credits.covers(most)) return;
      const held = list.isFree === true ? most : await credits.reserveUpTo(most);
      if (held === 0) {
        if (isAlone) this.endByCredits();
        return;
      }
      const range = toPageRange(list.paging.by, this.planned, held);
      if (list.isFree !== true) credits.settle(held - range.limit, 0);
      inFlight.push({ ...range, response: this.request(range) });
      this.planned += range.limit;
    }
  }

  private endByCredits(): void {
    const { pagesRead, read, total = Infinity } = this.progress;
    if (pagesRead === 0) throw this.guards.credits.limitError();
    // Credits that cover the stated total are enough.
    this.progress = { ...this.progress, ending: read < total ? 'cut' : 'complete' };
  }

  private request(range: PageRange): Promise<Page> {
    const { fetch, idOf, isFree = false } = this.list;
    const { credits, signal } = this.guards;
    // The first page is requested alone, and again only if it is misplaced.
    const isFirst = this.progress.pagesRead === 0 && this.charged.size === 0;
    const send = async () =>
      await fetch(range, isFirst, { signal, beforeSend: this.breaker.assertClosed });
    const countCredits = ({ rows }: Page) =>
      rows.filter((row) => !this.charged.has(idOf(row))).length;
    const response = isFree ? send() : credits.sendReserved(range.limit, send, countCredits);
    response.catch((error: unknown) => {
      // Pages that still wait in the queue would be charged, although the list has a gap.
      if (this.progress.ending === undefined && error instanceof ServiceError)
        this.failure ??= error;
      this.breaker.trip(error);
    });
    return response;
  }

  /** Undefined if the page failed or lies after the end of the list. */
  private async receive({ from, limit, response }: PageInFlight): Promise<Page | undefined> {
    try {
      return await response;
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
      const { ending, isMorePromised, total = 0 } = this.progress;
      if (ending !== undefined) return undefined;
      if (isMorePromised || !isRefusal(error) || from < total) {
        addGap(this.gaps, from, Math.min(from + limit, this.end));
        return undefined;
      }
      this.progress = { ...this.progress, ending: 'complete' };
      if (this.failure === error) this.failure = undefined;
      return undefined;
    }
  }

  private get end(): number {
    const { skip = 0, wanted = Infinity } = this.list;
    return Math.min(this.progress.total ?? Infinity, skip + wanted);
  }

  private isSentAgain(range: PageRange, page: Page): boolean {
    this.progress = noteServedSize(this.progress, range, page);
    if (!isMisplaced(this.progress, range, page)) return false;
    for (const id of page.rows.map(this.list.idOf)) if (id !== undefined) this.charged.add(id);
    this.planned = range.from;
    return true;
  }

  private advance(range: PageRange, page: Page, isRepetition: boolean): void {
    const { isFree = false, paging, whole = false } = this.list;
    this.progress = notePage(this.progress, this.list, range, page, isRepetition);
    const { ending, pagesRead, pageSize, read, total = 0 } = this.progress;
    if (this.inFlight.length === 0) {
      const { from, limit } = range;
      this.planned = paging.by === 'offset' ? read : from + Math.min(limit, pageSize);
    }
    const { credits } = this.guards;
    const isFirstOfWhole = ending === undefined && whole && pagesRead === 1 && !isFree;
    if (isFirstOfWhole && total - read > credits.available) throw credits.limitError(total - read);
  }

  private conclude(): void {
    const { failure, gaps, guards, list, rows } = this;
    const { skip = 0, wanted = Infinity, whole = false } = list;
    const { ending, pagesRead, total, totals } = this.progress;
    const { taken, repeated } = rows;
    if (failure !== undefined && rows.missing > 0) {
      if (pagesRead === 0) throw failure;
      addGap(gaps, this.planned, this.end);
      throw failure.copyWith({ details: { ...failure.details, missing_rows: gaps } });
    }
    const expected = total === undefined ? undefined : Math.max(0, Math.min(wanted, total - skip));
    const isCut = ending === 'cut';
    if (isCut && whole) throw guards.credits.limitError();
    if (isCut) guards.warn(formatCut(taken, expected));
    const isPagingIgnored = ending === 'repeated';
    const hasChanged = totals.length > 1 || (repeated > 0 && (isCut || expected === undefined));
    // A total that was reached outweighs other signs of a change.
    const isUnsure = isPagingIgnored || ending === 'doubtful';
    const isUncertain = expected === undefined && rows.missing > 0 && isUnsure;
    const isShort = !isCut && taken < (expected ?? 0);
    if (!hasChanged && !isUncertain && !isShort) return;
    const figures = { taken, repeated, totals, isPagingIgnored };
    if (!whole) guards.warn(formatShortfall(figures, 'node'));
    else if (hasChanged || isUncertain || !isNearlyComplete(taken, expected))
      throw createIncompleteError(figures);
  }
}

/** The total may be one too high, or a row arrived twice; refusing such a list would refuse it each time. */
function isNearlyComplete(read: number, total = 0): boolean {
  return read >= total || (read > 0 && total - read <= Math.max(1, total / 100));
}

/** A service may respond so, in a shape that the API spec does not show, if it is asked for rows after the last one. */
function isRefusal(error: ServiceError): boolean {
  const isOfContents = [400, 413, 422].includes(error.status ?? 0);
  const isOther = ['invalid_tech_key', 'invalid_domain'].includes(error.code);
  return error instanceof NotFoundError || (isOfContents && !isOther);
}
