import type { Clock } from '../clock';
import { errors } from '../errors';
import { LIMITS } from '../limits';

const WINDOW_MS = LIMITS.creditWindowDays * 24 * 60 * 60 * 1000;

/**
 * Credits of the organizations (Limits, Credits). A company costs 1 credit. After the charge, it
 * stays free for the organization for 30 days.
 */
export class Ledger {
  private balances: Map<string, number>;
  private readonly paidUntil = new Map<string, Map<number, number>>();

  constructor(
    private readonly clock: Clock,
    private readonly initial: ReadonlyMap<string, number>,
  ) {
    this.balances = new Map(initial);
  }

  /**
   * Charges an organization once for each company of a response.
   *
   * @param companyIds companies returned; repeated ids count once
   * @returns credits charged
   * @throws 402 `credit_exhausted` if the balance is too low; then nothing is charged
   */
  charge(organizationId: string, companyIds: Iterable<number>): number {
    const now = this.clock.now();
    const paid = this.paidOf(organizationId);
    const owed = [...new Set(companyIds)].filter((id) => (paid.get(id) ?? 0) <= now);
    const balance = this.balanceOf(organizationId);
    if (owed.length > balance) {
      throw errors.creditExhausted(owed.length, owed.length - balance);
    }
    if (owed.length > 0) this.balances.set(organizationId, balance - owed.length);
    for (const id of owed) paid.set(id, now + WINDOW_MS);
    return owed.length;
  }

  balanceOf(organizationId: string): number {
    return this.balances.get(organizationId) ?? 0;
  }

  /** Sets the credits of an organization, as if some were bought or spent elsewhere. */
  setBalance(organizationId: string, credits: number): void {
    this.balances.set(organizationId, credits);
  }

  reset(): void {
    this.balances = new Map(this.initial);
    this.paidUntil.clear();
  }

  private paidOf(organizationId: string): Map<number, number> {
    let paid = this.paidUntil.get(organizationId);
    if (paid === undefined) {
      paid = new Map();
      this.paidUntil.set(organizationId, paid);
    }
    return paid;
  }
}
