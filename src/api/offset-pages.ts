import type { CallOptions } from '../client/client';
import { BadRequestError, InvalidResponseError, UnprocessableError } from '../client/errors';
import { notAttempted } from './ends-the-run';
import type { ApiOptions } from './options';
import type { Page } from './pages';
import type { Row } from './rows';
import { pagingOf, type RowsAnywhere } from './rows-anywhere';

/** Which rows one request asks for. */
export interface OffsetRequest {
  readonly offset: number;
  readonly limit: number;
  /** True for the very first request; it alone may ask the service to compute anew. */
  readonly first: boolean;
}

export interface OffsetListing {
  /** How many rows; undefined for all. */
  readonly wanted: number | undefined;
  /** How many rows to leave out before them. */
  readonly skip: number;
  /** Credits one row costs at most. */
  readonly creditsPerRow: number;
  readonly fetch: (request: OffsetRequest, options: CallOptions) => Promise<RowsAnywhere>;
  /** What tells a row from others; undefined when nothing in it does. */
  readonly idOf: (row: Row) => string | undefined;
  /** Page sizes the service refused to exceed are remembered here, under `endpoint`. */
  readonly ceilings: Map<string, number>;
  readonly endpoint: string;
}

/** What is tried first, where the interface shows no largest `limit` (Size and pagination bounds). */
export const LARGEST_PAGE = 1000;
const PAGE_SIZES = [LARGEST_PAGE, 500, 200, 100, 50, 20];

/** Pages that are under way at once when the total is known: they bound the memory, too. */
const PAGES_AHEAD = 6;

/** A page on its way. */
interface Ahead {
  readonly offset: number;
  readonly limit: number;
  readonly answer: Promise<RowsAnywhere>;
}

/**
 * Reads a list by `limit` and `offset`, page after page, whatever cap the service has and however it
 * says that there is more: a total, `has_more`, or nothing, when an empty page is the end. Each row
 * comes once and in order. When the total changes on the way, rows may have moved between two pages;
 * then the list is read once more for those that were missed.
 *
 * @throws {InvalidResponseError} `offset_ignored` when the service sends the same rows again.
 * @throws {NotAttemptedError} when the rows may cost more than the run may spend.
 */
export async function* readByOffset(
  listing: OffsetListing,
  options: ApiOptions,
): AsyncGenerator<Page, undefined> {
  const rows = new DistinctRows(listing.idOf, listing.wanted ?? Infinity);
  const totals = new Set<number>();
  for (const again of [false, true]) {
    const pass = new Pass(listing, options, () => rows.missing, again);
    for await (const { rows: came, begins, total } of pass.pages()) {
      if (total !== undefined) totals.add(total);
      const fresh = again ? rows.takeAgain(came) : rows.take(came, begins);
      if (again && fresh.length === 0) continue;
      yield {
        rows: fresh,
        context: {},
        pagination: { limit: undefined, totalResults: total, hasNext: undefined },
      };
    }
    if (totals.size <= 1 || rows.missing === 0) return;
  }
}

interface ReadPage {
  readonly rows: readonly Row[];
  /** Whether it is the first page of this way through the list. */
  readonly begins: boolean;
  readonly total: number | undefined;
}

/** One way through a list, from its first row to its last. */
class Pass {
  private readonly ahead: Ahead[] = [];
  private pageSize: number;
  /** Where the next page that is not yet under way begins. */
  private planned: number;
  private answered = false;
  private stopped: Error | undefined;

  /** @param missing how many rows are still wanted. */
  constructor(
    private readonly listing: OffsetListing,
    private readonly options: ApiOptions,
    private readonly missing: () => number,
    private readonly again: boolean,
  ) {
    this.planned = listing.skip;
    this.pageSize = Math.min(listing.ceilings.get(listing.endpoint) ?? LARGEST_PAGE, LARGEST_PAGE);
  }

  async *pages(): AsyncGenerator<ReadPage, undefined> {
    try {
      let { offset, limit, page } = await this.first();
      for (let begins = true; ; begins = false) {
        const { total, hasMore } = pagingOf(page.beside);
        const end = offset + page.rows.length;
        yield { rows: page.rows, begins, total };
        const more = hasMore ?? (total === undefined || end < total);
        if (page.rows.length === 0 || !more || this.missing() === 0) return;
        if (begins) this.learnPageSize(page.rows.length, limit, total ?? hasMore);
        if (this.ahead.length === 0) this.planned = end;
        else if (page.rows.length < limit)
          this.ahead.unshift(this.ask(end, limit - page.rows.length));
        // A total that is reached is no end where the service says that there is more.
        this.planAhead(end, total !== undefined && total <= end ? undefined : total);
        const next = this.ahead.shift();
        if (next === undefined) return;
        ({ offset, limit } = next);
        page = await next.answer;
      }
    } finally {
      // Nobody reads what is still under way; what waits for its turn is not sent.
      this.stopped = notAttempted('the list was not read on');
    }
  }

  /** The first page, of the largest size that the service takes. */
  private async first(): Promise<{ offset: number; limit: number; page: RowsAnywhere }> {
    const { ceilings, endpoint, skip } = this.listing;
    let limit = await this.firstLimit();
    for (let refusals = 0; ; refusals += 1) {
      try {
        const page = await this.fetch(skip, limit);
        if (refusals > 0) ceilings.set(endpoint, limit);
        return { offset: skip, limit, page };
      } catch (error) {
        const refused = error instanceof BadRequestError || error instanceof UnprocessableError;
        const smaller = PAGE_SIZES.find((size) => size < limit);
        // What a refusal is about cannot be told for sure; the smallest page decides.
        if (!refused || smaller === undefined) throw error;
        this.pageSize = smaller;
        limit = smaller;
      }
    }
  }

  /**
   * When Max Credits does not cover a page, a single row tells how long the list is, so that a short
   * one can be read and a long one is refused for 1 credit.
   */
  private async firstLimit(): Promise<number> {
    const asked = Math.min(this.pageSize, this.missing());
    const covered = this.covered();
    if (asked <= covered || covered < 1 || this.listing.wanted !== undefined) return asked;
    const { total } = pagingOf((await this.fetch(this.listing.skip, 1)).beside);
    const left = total === undefined ? this.covered() : total - this.listing.skip;
    return Math.max(1, Math.min(asked, left));
  }

  /** A first page that is not as long as was asked for shows how long pages are. */
  private learnPageSize(rows: number, limit: number, more: number | boolean | undefined): void {
    const cut = rows < limit && more !== undefined;
    if (cut || rows > limit) this.pageSize = rows;
  }

  /** Sends for the pages up to the end, as far as it is known, a few at a time. */
  private planAhead(read: number, total: number | undefined): void {
    const { wanted, creditsPerRow } = this.listing;
    const bounded = wanted !== undefined || this.options.guard?.limit !== undefined;
    const end = Math.min(total ?? read + this.pageSize, read + this.missing());
    if (total !== undefined && this.planned < end) {
      // All or nothing: half a list that was paid for would be thrown away.
      this.options.guard?.check((end - this.planned) * creditsPerRow);
    }
    while (this.planned < end && this.ahead.length < (total === undefined ? 1 : PAGES_AHEAD)) {
      const rest = bounded ? end - this.planned : this.pageSize;
      const limit = Math.max(1, Math.min(this.pageSize, rest, this.covered()));
      this.ahead.push(this.ask(this.planned, limit));
      this.planned += limit;
    }
  }

  private ask(offset: number, limit: number): Ahead {
    const answer = this.fetch(offset, limit);
    // A page that fails is noticed when its turn comes.
    answer.catch(() => undefined);
    return { offset, limit, answer };
  }

  private covered(): number {
    return Math.floor((this.options.guard?.available ?? Infinity) / this.listing.creditsPerRow);
  }

  private async fetch(offset: number, limit: number): Promise<RowsAnywhere> {
    const { guard, ...options } = this.options;
    const { creditsPerRow } = this.listing;
    const first = !this.again && !this.answered;
    const send = async () => {
      const page = await this.listing.fetch(
        { offset, limit, first },
        {
          ...options,
          beforeSend: () => {
            if (this.stopped !== undefined) throw this.stopped;
            options.beforeSend?.();
          },
        },
      );
      this.answered = true;
      return page;
    };
    return guard === undefined
      ? await send()
      : await guard.spend(limit * creditsPerRow, send, ({ rows }) => rows.length * creditsPerRow);
  }
}

/** Lets each row through once. */
class DistinctRows {
  private readonly ids = new Set<string>();
  /** What the first page and the last one held. */
  private pages: ReadonlyArray<readonly string[]> = [];
  private taken = 0;
  private stalePages = 0;

  constructor(
    private readonly idOf: OffsetListing['idOf'],
    private readonly wanted: number,
  ) {}

  /** How many rows are still wanted. */
  get missing(): number {
    return this.wanted - this.taken;
  }

  /**
   * The rows of a page that did not come before. Within one page the service knows best.
   *
   * @throws {InvalidResponseError} when the page shows that the offset is ignored.
   */
  take(page: readonly Row[], isFirst: boolean): Row[] {
    const names = page.map((row) => this.idOf(row) ?? JSON.stringify(row));
    const fresh = this.freshOf(page);
    if (isFirst) this.pages = [names];
    else if (names.length > 0) this.refuseRepetition(names, fresh.length === 0);
    return this.accept(page, fresh);
  }

  /** The same of a list that is read once more, where nothing new is no surprise. */
  takeAgain(page: readonly Row[]): Row[] {
    return this.accept(
      page,
      this.freshOf(page).filter((row) => this.idOf(row) !== undefined),
    );
  }

  private freshOf(page: readonly Row[]): Row[] {
    return page.filter((row) => {
      const id = this.idOf(row);
      return id === undefined || !this.ids.has(id);
    });
  }

  private accept(page: readonly Row[], fresh: readonly Row[]): Row[] {
    for (const row of page) {
      const id = this.idOf(row);
      if (id !== undefined) this.ids.add(id);
    }
    const taken = fresh.slice(0, this.missing);
    this.taken += taken.length;
    return taken;
  }

  /** Rows that moved may come a second time; pages of nothing else are no accident. */
  private refuseRepetition(names: readonly string[], stale: boolean): void {
    const same = this.pages.some((page) => names.every((name, index) => name === page[index]));
    this.stalePages = stale ? this.stalePages + 1 : 0;
    this.pages = [...this.pages.slice(0, 1), names];
    if (!same && this.stalePages < 2) return;
    throw new InvalidResponseError({
      code: 'offset_ignored',
      message: 'The service sent rows again that it had sent already, instead of the next ones',
      hint: 'Nothing was returned, because the list could not be read to its end. Set a Limit that one page covers, or use Export CSV.',
    });
  }
}
