import { hash } from 'node:crypto';

import type { Row } from '../responses/rows';

/** Returns the ID of a row; undefined if only the whole row identifies it. */
export type GetRowId = (row: Row) => string | undefined;

/** Number of consecutive pages without a new row that cannot be coincidence. */
const STALE_PAGES = 2;
/** Number of rows per page used to compare pages. */
const COMPARED_ROWS = 16;

/** Removes repeated rows of a list, and detects a list that does not advance. */
export class DistinctRows {
  /** Number of rows that were passed on. */
  taken = 0;
  /** Number of repeated rows that were skipped. */
  repeated = 0;
  private readonly ids: RecentIdSet;
  /** Cached ID hashes by page, so that each page is processed once. */
  private readonly known = new WeakMap<readonly Row[], ReadonlyArray<bigint | undefined>>();
  /** Fingerprints of the first and the last page. */
  private pageLooks: string[] = [];
  private stalePages = 0;

  /**
   * @param idOf Returns a row's ID; undefined to pass on rows unchanged.
   * @param wanted Maximum number of rows to pass on.
   * @param remembered Minimum number of remembered IDs.
   */
  constructor(
    private readonly idOf: GetRowId | undefined,
    private readonly wanted: number,
    remembered: number,
  ) {
    this.ids = new RecentIdSet(remembered);
  }

  /** Number of rows that are still wanted. */
  get missing(): number {
    return this.wanted - this.taken;
  }

  /** Whether every ID is remembered, so that the list can be read again. */
  get complete(): boolean {
    return !this.ids.forgotSome;
  }

  /** Returns the rows of a page that did not arrive before. Repeated rows within one page are kept, as the service sent them. */
  take(rows: readonly Row[]): readonly Row[] {
    const ids = this.idsOf(rows);
    const fresh = rows.filter((_row, index) => !this.ids.has(ids[index]));
    this.repeated += rows.length - fresh.length;
    return this.accept(fresh, ids);
  }

  /** Returns the new rows of a page when the list is read again, where pages without new rows are normal. */
  takeOnSecondScan(rows: readonly Row[]): readonly Row[] {
    const ids = this.idsOf(rows);
    return this.accept(
      rows.filter((_row, index) => this.isNew(ids[index])),
      ids,
    );
  }

  /** Returns the number of new rows of a page when the list is read again. */
  countNew(rows: readonly Row[]): number {
    return this.idsOf(rows).filter((id) => this.isNew(id)).length;
  }

  /**
   * Returns whether a page shows that the service keeps sending the same rows: it looks like the first or
   * the last page, or it is the second consecutive page without a new row. A single such page is allowed,
   * because rows that moved can arrive a second time. Call it once per page, before {@link take}.
   */
  isStuckAt(rows: readonly Row[]): boolean {
    if (rows.length === 0) return false;
    const look = summarizePage(rows);
    const same = this.pageLooks.includes(look);
    this.stalePages = this.idsOf(rows).every((id) => this.ids.has(id)) ? this.stalePages + 1 : 0;
    this.pageLooks = [this.pageLooks[0] ?? look, look];
    return same || this.stalePages >= STALE_PAGES;
  }

  private idsOf(rows: readonly Row[]): ReadonlyArray<bigint | undefined> {
    const { idOf } = this;
    const ids =
      this.known.get(rows) ?? rows.map((row) => idOf && hashText(idOf(row) ?? JSON.stringify(row)));
    this.known.set(rows, ids);
    return ids;
  }

  /** Returns false for a known ID and for a row without an ID. */
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

/** Returns a 64-bit hash, never 0. It is long enough that no two of 100,000 rows collide. */
function hashText(text: string): bigint {
  return BigInt(`0x${hash('sha256', text).slice(0, 16)}`) || 1n;
}

function summarizePage(rows: readonly Row[]): string {
  const step = Math.ceil(rows.length / COMPARED_ROWS);
  const compared = rows.filter((_row, index) => index % step === 0);
  return `${String(rows.length)} ${JSON.stringify(compared)}`;
}

/** Remembers at least the last `least` IDs, and up to twice as many. */
class RecentIdSet {
  forgotSome = false;
  private recent = new IdSet();
  private earlier = new IdSet();

  constructor(private readonly least: number) {}

  has(id: bigint | undefined): boolean {
    return id !== undefined && (this.recent.has(id) || this.earlier.has(id));
  }

  add(id: bigint | undefined): void {
    if (id === undefined) return;
    if (this.recent.size >= this.least) {
      this.forgotSome ||= this.earlier.size > 0;
      this.earlier = this.recent;
      this.recent = new IdSet();
    }
    this.recent.add(id);
  }
}

/** Initial capacity; small, because most lists are short. */
const MIN_SLOTS = 16;

/**
 * Set of ID hashes that takes 16 to 32 bytes per ID and creates no garbage. The IDs of a million rows,
 * as strings in a Set, were most of what a long list left in n8n's memory.
 */
class IdSet {
  size = 0;
  /** Hash table with linear probing: an ID is in the slot of its lowest bits, or in the next free one. */
  private slots = new BigUint64Array(MIN_SLOTS);

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
