import { INITIAL_CREDITS } from './accounts';
import type { Clock } from './clock';
import { errors } from './errors';
import { LIMITS } from './limits';

const WINDOW_MS = LIMITS.creditWindowDays * 24 * 60 * 60 * 1000;

/**
 * Credits of the organizations (Limits, Credits). A company costs 1 credit. After the charge, it
 * stays free for the organization for 30 days.
 */
export class Ledger {
  private readonly balances = new Map<string, number>(Object.entries(INITIAL_CREDITS));
  /** Ends of the free 30 days, by organization and company id. */
  private readonly paidUntil = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /**
   * Charges an organization once for each company of a response.
   *
   * @param companyIds companies returned; repeated ids count once
   * @returns credits charged
   * @throws 402 `credit_exhausted` if the balance is too low; then nothing is charged
   */
  charge(organizationId: string, companyIds: Iterable<number>): number {
    const now = this.clock.now();
    const owed = [...new Set(companyIds)]
      .map((id) => `${organizationId}/${id}`)
      .filter((company) => (this.paidUntil.get(company) ?? 0) <= now);
    const balance = this.balanceOf(organizationId);
    if (owed.length > balance) {
      throw errors.creditExhausted(owed.length, owed.length - balance);
    }
    this.setBalance(organizationId, balance - owed.length);
    for (const company of owed) this.paidUntil.set(company, now + WINDOW_MS);
    return owed.length;
  }

  balanceOf(organizationId: string): number {
    return this.balances.get(organizationId) ?? 1_000_000;
  }

  /** Sets the credits of an organization, as if some were bought or spent elsewhere. */
  setBalance(organizationId: string, credits: number): void {
    this.balances.set(organizationId, credits);
  }
}
