import type { Row } from '../answers/rows';
import type { Marks } from './marks';

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
  take(rows: readonly Row[], { ids }: Marks): readonly Row[] {
    const fresh = rows.filter((_row, index) => !this.ids.has(ids[index]));
    this.repeatedRows += rows.length - fresh.length;
    return this.accept(fresh, ids);
  }

  /** The same of a list that is read once more, where nothing new is no surprise. */
  takeAgain(rows: readonly Row[], { ids }: Marks): readonly Row[] {
    return this.accept(
      rows.filter((_row, index) => this.isNew(ids[index])),
      ids,
    );
  }

  /** How many rows of a list that is read once more did not come before. */
  countNew({ ids }: Marks): number {
    return ids.filter((id) => this.isNew(id)).length;
  }

  /**
   * Whether a page shows that the service sends the same rows again and again: it looks like the
   * first or the last one, or it is the second in a row without anything new. Rows that moved may
   * come a second time. To be asked once for each page, before it is taken.
   */
  isStuckAt({ look, ids }: Marks): boolean {
    if (ids.length === 0) return false;
    const same = this.looks.includes(look);
    this.stalePages = ids.every((id) => this.ids.has(id)) ? this.stalePages + 1 : 0;
    this.looks = [this.looks[0] ?? look, look];
    return same || this.stalePages >= STALE_PAGES;
  }

  /** False for what came before, and where nobody can tell. */
  private isNew(id: string | undefined): boolean {
    return id !== undefined && !this.ids.has(id);
  }

  private accept(fresh: readonly Row[], ids: Marks['ids']): readonly Row[] {
    for (const id of ids) this.ids.add(id);
    const taken = fresh.length > this.missing ? fresh.slice(0, this.missing) : fresh;
    this.takenRows += taken.length;
    return taken;
  }
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

  has(id: string | undefined): boolean {
    return id !== undefined && (this.recent.has(id) || this.earlier.has(id));
  }

  add(id: string | undefined): void {
    if (id === undefined) return;
    if (this.recent.size >= this.least) {
      this.forgotSome ||= this.earlier.size > 0;
      this.earlier = this.recent;
      this.recent = new Set();
    }
    this.recent.add(id);
  }
}
