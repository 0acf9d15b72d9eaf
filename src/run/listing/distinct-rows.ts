import type { Row } from '../answers/rows';

/** What tells a row from others; undefined when nothing in it does. */
export type IdOf = (row: Row) => string | undefined;

/** Rows of a page that stand for the whole page when pages are compared. */
const COMPARED_ROWS = 16;

/** So many pages in a row without a new row are no accident. */
const STALE_PAGES = 2;

/** Lets each row of a list through once, and notices a list that does not go on. */
export class DistinctRows {
  private readonly ids: RecentIds;
  /** What the first page and the last one looked like. */
  private looks: string[] = [];
  private stalePages = 0;
  private takenRows = 0;
  private repeatedRows = 0;

  /**
   * @param wanted how many rows may come through.
   * @param remembered ids that are surely remembered.
   */
  constructor(
    private readonly idOf: IdOf,
    private readonly wanted: number,
    remembered: number,
  ) {
    this.ids = new RecentIds(remembered);
  }

  /** Rows that came through. */
  get taken(): number {
    return this.takenRows;
  }

  /** How many rows are still wanted. */
  get missing(): number {
    return this.wanted - this.takenRows;
  }

  /** Rows that came again, and were left out. */
  get repeated(): number {
    return this.repeatedRows;
  }

  /** Whether every id is remembered, so that the list can be gone through again. */
  get complete(): boolean {
    return this.ids.complete;
  }

  /** The rows of a page that did not come before. Within one page the service knows best. */
  take(page: readonly Row[]): Row[] {
    const fresh = this.freshOf(page);
    this.repeatedRows += page.length - fresh.length;
    return this.accept(page, fresh);
  }

  /** The same of a list that is read once more, where nothing new is no surprise. */
  takeAgain(page: readonly Row[]): Row[] {
    return this.accept(
      page,
      this.freshOf(page).filter((row) => this.idOf(row) !== undefined),
    );
  }

  /**
   * Whether a page shows that the service sends the same rows again and again: it looks like the
   * first or the last one, or it is the second in a row without anything new. Rows that moved may
   * come a second time. To be asked once for each page, before it is taken.
   */
  isStuckAt(page: readonly Row[]): boolean {
    if (page.length === 0) return false;
    const look = lookOf(page);
    const same = this.looks.includes(look);
    this.stalePages = this.freshOf(page).length === 0 ? this.stalePages + 1 : 0;
    this.looks = [this.looks[0] ?? look, look];
    return same || this.stalePages >= STALE_PAGES;
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
    this.takenRows += taken.length;
    return taken;
  }
}

function lookOf(page: readonly Row[]): string {
  const step = Math.ceil(page.length / COMPARED_ROWS);
  return JSON.stringify([page.length, page.filter((_row, index) => index % step === 0)]);
}

/** Remembers ids: the last `least` of them at any rate, twice as many at most. */
class RecentIds {
  private recent = new Set<string>();
  private earlier = new Set<string>();
  private forgotSome = false;

  constructor(private readonly least: number) {}

  /** False as soon as one may have been forgotten. */
  get complete(): boolean {
    return !this.forgotSome;
  }

  has(id: string): boolean {
    return this.recent.has(id) || this.earlier.has(id);
  }

  add(id: string): void {
    if (this.recent.size >= this.least) {
      this.forgotSome ||= this.earlier.size > 0;
      this.earlier = this.recent;
      this.recent = new Set();
    }
    this.recent.add(id);
  }
}
