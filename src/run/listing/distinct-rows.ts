import { isDeepStrictEqual } from 'node:util';

import type { Row } from '../../values/json';

/** Undefined for a row without an ID, which is never compared with others. */
export type GetRowId = (row: Row) => string | undefined;

export class DistinctRows {
  taken = 0;
  repeated = 0;
  private recent = new Set<string>();
  private earlier = new Set<string>();
  private latest: readonly Row[] = [];

  /** @param remembered Minimum number of remembered IDs; up to twice as many are. */
  constructor(
    private readonly idOf: GetRowId,
    private readonly wanted: number,
    private readonly remembered: number,
  ) {}

  get missing(): number {
    return this.wanted - this.taken;
  }

  /** The page has rows, and none that an earlier page did not have, or it is the latest page again. */
  isRepetition(rows: readonly Row[]): boolean {
    if (rows.length === 0) return false;
    return rows.every((row) => this.has(this.idOf(row))) || isDeepStrictEqual(rows, this.latest);
  }

  /** Rows repeated within one page are kept. */
  take(rows: readonly Row[]): readonly Row[] {
    const ids = rows.map((row) => this.idOf(row));
    const fresh = rows.filter((_row, index) => !this.has(ids[index]));
    for (const id of ids) if (id !== undefined) this.remember(id);
    this.latest = rows;
    this.repeated += rows.length - fresh.length;
    const taken = fresh.slice(0, this.missing);
    this.taken += taken.length;
    return taken;
  }

  private has(id: string | undefined): boolean {
    return id !== undefined && (this.recent.has(id) || this.earlier.has(id));
  }

  private remember(id: string): void {
    if (this.recent.size >= this.remembered) {
      this.earlier = this.recent;
      this.recent = new Set();
    }
    this.recent.add(id);
  }
}
