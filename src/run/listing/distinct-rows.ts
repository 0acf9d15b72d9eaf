import type { Row, Rows } from '../answers/rows';
import { FingerprintSet, type Fingerprints } from './fingerprints';
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
  take(rows: Rows, { ids }: Marks): Rows {
    const stale = this.indexesOf(ids, (index) => this.ids.has(ids, index));
    this.repeatedRows += stale.size;
    return this.accept(rows, ids, stale);
  }

  /** The same of a list that is read once more, where nothing new is no surprise. */
  takeAgain(rows: Rows, marks: Marks): Rows {
    return this.accept(rows, marks.ids, this.knownIn(marks));
  }

  /** How many rows of a list that is read once more did not come before. */
  countNew(marks: Marks): number {
    return marks.ids.length - this.knownIn(marks).size;
  }

  /** Rows that came before, and those of which nobody can tell. */
  private knownIn({ ids }: Marks): ReadonlySet<number> {
    return this.indexesOf(ids, (index) => !ids.isSet(index) || this.ids.has(ids, index));
  }

  /**
   * Whether a page shows that the service sends the same rows again and again: it looks like the
   * first or the last one, or it is the second in a row without anything new. Rows that moved may
   * come a second time. To be asked once for each page, before it is taken.
   */
  isStuckAt({ look, ids }: Marks): boolean {
    if (ids.length === 0) return false;
    const same = this.looks.includes(look);
    const stale = this.indexesOf(ids, (index) => this.ids.has(ids, index));
    this.stalePages = stale.size === ids.length ? this.stalePages + 1 : 0;
    this.looks = [this.looks[0] ?? look, look];
    return same || this.stalePages >= STALE_PAGES;
  }

  private indexesOf(ids: Fingerprints, holds: (index: number) => boolean): ReadonlySet<number> {
    const indexes = new Set<number>();
    for (let index = 0; index < ids.length; index += 1) if (holds(index)) indexes.add(index);
    return indexes;
  }

  private accept(rows: Rows, ids: Fingerprints, stale: ReadonlySet<number>): Rows {
    for (let index = 0; index < ids.length; index += 1) this.ids.add(ids, index);
    const taken = Math.min(rows.length - stale.size, this.missing);
    this.takenRows += taken;
    return taken === rows.length ? rows : new ChosenRows(rows, stale, taken);
  }
}

/** Some rows of a page. */
class ChosenRows implements Rows {
  /**
   * @param left which rows are left out.
   * @param length how many of the others are taken.
   */
  constructor(
    private readonly rows: Rows,
    private readonly left: ReadonlySet<number>,
    readonly length: number,
  ) {}

  *[Symbol.iterator](): Generator<Row, void, undefined> {
    let index = 0;
    let taken = 0;
    for (const row of this.rows) {
      if (taken === this.length) return;
      if (!this.left.has(index)) {
        taken += 1;
        yield row;
      }
      index += 1;
    }
  }
}

/** Remembers ids: the last `least` of them at any rate, twice as many at most. */
class RecentIds {
  private recent = new FingerprintSet();
  private earlier = new FingerprintSet();
  private forgotSome = false;

  constructor(private readonly least: number) {}

  /** False as soon as one may have been forgotten. */
  get complete(): boolean {
    return !this.forgotSome;
  }

  /** Whether a row has an id that is remembered. */
  has(ids: Fingerprints, index: number): boolean {
    return ids.isSet(index) && (this.recent.has(ids, index) || this.earlier.has(ids, index));
  }

  /** Remembers the id of a row, if it has one. */
  add(ids: Fingerprints, index: number): void {
    if (!ids.isSet(index)) return;
    if (this.recent.size >= this.least) {
      this.forgotSome ||= this.earlier.size > 0;
      this.earlier.clear();
      [this.recent, this.earlier] = [this.earlier, this.recent];
    }
    this.recent.add(ids, index);
  }
}
