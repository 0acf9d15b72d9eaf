import type { Row } from '../../values/json';

/** Undefined if only the whole row identifies it. */
export type GetRowId = (row: Row) => string | undefined;

export class DistinctRows {
  /** Rows that were passed on. */
  taken = 0;
  /** Rows that were skipped because an earlier page had them. */
  repeated = 0;
  private recent = new Set<string>();
  private earlier = new Set<string>();

  /** @param remembered Minimum number of remembered IDs; up to twice as many are. */
  constructor(
    private readonly idOf: GetRowId,
    private readonly wanted: number,
    private readonly remembered: number,
  ) {}

  get missing(): number {
    return this.wanted - this.taken;
  }

  /** The page has rows, and none that an earlier page did not have. */
  isRepetition(rows: readonly Row[]): boolean {
    return rows.length > 0 && rows.every((row) => this.has(this.toKey(row)));
  }

  /** Rows repeated within one page are kept. */
  take(rows: readonly Row[]): readonly Row[] {
    const keys = rows.map((row) => this.toKey(row));
    const fresh = rows.filter((_row, index) => !this.has(keys[index] ?? ''));
    for (const key of keys) this.remember(key);
    this.repeated += rows.length - fresh.length;
    const taken = fresh.slice(0, this.missing);
    this.taken += taken.length;
    return taken;
  }

  private toKey(row: Row): string {
    return this.idOf(row) ?? JSON.stringify(row);
  }

  private has(key: string): boolean {
    return this.recent.has(key) || this.earlier.has(key);
  }

  private remember(key: string): void {
    if (this.recent.size >= this.remembered) {
      this.earlier = this.recent;
      this.recent = new Set();
    }
    this.recent.add(key);
  }
}
