/**
 * Keeps a run below a number of credits. Credits are reserved before companies are asked for, as if
 * each of them were charged, and settled when the answer shows how many there were at most: what the
 * 30-day window makes free (interface: Credits) is not visible to a client, so the guard may stop
 * early but never late.
 */
export class CreditGuard {
  private reserved = 0;
  private spent = 0;

  /** @param limit credits the run may spend; undefined for no limit. */
  constructor(readonly limit: number | undefined) {}

  /** Credits neither spent nor reserved. */
  get available(): number {
    return this.limit === undefined
      ? Infinity
      : Math.max(0, this.limit - this.spent - this.reserved);
  }

  reserve(credits: number): void {
    this.reserved += credits;
  }

  /** Turns a reservation into what was spent at most. */
  settle(reserved: number, spent: number): void {
    this.reserved -= reserved;
    this.spent += spent;
  }
}
