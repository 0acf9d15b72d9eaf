import { hash } from 'node:crypto';

import type { Row } from '../answers/rows';

/** What tells a row from others; undefined when nothing in it does but the whole of it. */
export type IdOf = (row: Row) => string | undefined;

/** So many pages in a row without a new row are no accident. */
const STALE_PAGES = 2;
/** Rows of a page that stand for the whole page when pages are compared. */
const COMPARED_ROWS = 16;

/** Lets each row of a list through once, and notices a list that does not go on. */
export class DistinctRows {
  /** Rows that came through. */
  taken = 0;
  /** Rows that came again, and were left out. */
  repeated = 0;
  private readonly ids: RecentIds;
  /** Of pages, so that each is gone through once. */
  private readonly known = new WeakMap<readonly Row[], ReadonlyArray<bigint | undefined>>();
  /** What the first page and the last one looked like. */
  private looks: string[] = [];
  private stalePages = 0;

  /**
   * @param idOf undefined where rows are passed on as they come.
   * @param wanted how many rows may come through.
   * @param remembered ids that are surely remembered.
   */
  constructor(
    private readonly idOf: IdOf | undefined,
    private readonly wanted: number,
    remembered: number,
  ) {
    this.ids = new RecentIds(remembered);
  }

  /** How many rows are still wanted. */
  get missing(): number {
    return this.wanted - this.taken;
  }

  /** Whether every id is remembered, so that the list can be gone through again. */
  get complete(): boolean {
    return !this.ids.forgotSome;
  }

  /** The rows of a page that did not come before. Within one page the service knows best. */
  take(rows: readonly Row[]): readonly Row[] {
    const ids = this.idsOf(rows);
    const fresh = rows.filter((_row, index) => !this.ids.has(ids[index]));
    this.repeated += rows.length - fresh.length;
    return this.accept(fresh, ids);
  }

  /** The same of a list that is read once more, where nothing new is no surprise. */
  takeAgain(rows: readonly Row[]): readonly Row[] {
    const ids = this.idsOf(rows);
    return this.accept(
      rows.filter((_row, index) => this.isNew(ids[index])),
      ids,
    );
  }

  /** How many rows of a list that is read once more did not come before. */
  countNew(rows: readonly Row[]): number {
    return this.idsOf(rows).filter((id) => this.isNew(id)).length;
  }

  /**
   * Whether a page shows that the service sends the same rows again and again: it looks like the
   * first or the last one, or it is the second in a row without anything new. Rows that moved may
   * come a second time. To be asked once for each page, before it is taken.
   */
  isStuckAt(rows: readonly Row[]): boolean {
    if (rows.length === 0) return false;
    const look = lookOf(rows);
    const same = this.looks.includes(look);
    this.stalePages = this.idsOf(rows).every((id) => this.ids.has(id)) ? this.stalePages + 1 : 0;
    this.looks = [this.looks[0] ?? look, look];
    return same || this.stalePages >= STALE_PAGES;
  }

  private idsOf(rows: readonly Row[]): ReadonlyArray<bigint | undefined> {
    const { idOf } = this;
    const ids =
      this.known.get(rows) ?? rows.map((row) => idOf && hashOf(idOf(row) ?? JSON.stringify(row)));
    this.known.set(rows, ids);
    return ids;
  }

  /** False for what came before, and where nobody can tell. */
  private isNew(id: bigint | undefined): boolean {
    return id !== undefined && !this.ids.has(id);
  }

  private accept(fresh: readonly Row[], ids: Iterable<bigint | undefined>): readonly Row[] {
    for (const id of ids) this.ids.add(id);
    const taken = fresh.length > this.missing ? fresh.slice(0, this.missing) : fresh;
    this.taken += taken.length;
    return taken;
  }
}

/** 64 bits, and never 0: no two of a hundred thousand rows ever have the same. */
function hashOf(text: string): bigint {
  return BigInt(`0x${hash('sha256', text).slice(0, 16)}`) || 1n;
}

function lookOf(rows: readonly Row[]): string {
  const step = Math.ceil(rows.length / COMPARED_ROWS);
  const compared = rows.filter((_row, index) => index % step === 0);
  return `${String(rows.length)} ${JSON.stringify(compared)}`;
}

/** Remembers ids: the last `least` of them at any rate, twice as many at most. */
class RecentIds {
  forgotSome = false;
  private recent = new Ids();
  private earlier = new Ids();

  constructor(private readonly least: number) {}

  has(id: bigint | undefined): boolean {
    return id !== undefined && (this.recent.has(id) || this.earlier.has(id));
  }

  add(id: bigint | undefined): void {
    if (id === undefined) return;
    if (this.recent.size >= this.least) {
      this.forgotSome ||= this.earlier.size > 0;
      this.earlier = this.recent;
      this.recent = new Ids();
    }
    this.recent.add(id);
  }
}

/** Most lists are short. */
const FEWEST_SLOTS = 16;

/**
 * A set of ids that costs 16 to 32 bytes for each and leaves no garbage: those of a million rows, as
 * texts in a Set, were most of what a long list left in n8n's memory.
 */
class Ids {
  size = 0;
  /** An id is in the slot that its lowest bits say, or in the first free one behind it. */
  private slots = new BigUint64Array(FEWEST_SLOTS);

  has(id: bigint): boolean {
    return this.slots[this.slotOf(id)] === id;
  }

  add(id: bigint): void {
    if (2 * this.size >= this.slots.length) this.grow();
    const slot = this.slotOf(id);
    if (this.slots[slot] === id) return;
    this.slots[slot] = id;
    this.size += 1;
  }

  private slotOf(id: bigint): number {
    const { slots } = this;
    const last = slots.length - 1;
    let slot = Number(id & BigInt(last));
    while (slots[slot] !== 0n && slots[slot] !== id) slot = (slot + 1) & last;
    return slot;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new BigUint64Array(2 * before.length);
    for (const id of before) if (id !== 0n) this.slots[this.slotOf(id)] = id;
  }
}
