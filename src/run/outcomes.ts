import type { ServiceError } from '../client/errors';
import { textAboutForeign, type BatchAnswer, type Oddity } from './answers/batch-answer';
import { eachItsOwn, type Row } from './answers/rows';

/** What became of one domain. Every domain that is asked for gets exactly one. */
export type DomainOutcome =
  | { readonly kind: 'row'; readonly row: Row }
  /** The service called it malformed. */
  | { readonly kind: 'rejected' }
  /** The answer to its batch does not mention it. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

export interface BatchReport {
  readonly outcomes: ReadonlyMap<string, DomainOutcome>;
  /** Domains whose rows may have cost something. */
  readonly charged: readonly string[];
  /** Batches that were answered; of one that was shared with other runs, this run's part. */
  readonly answers: number;
  readonly oddities: readonly Oddity[];
}

/** What is kept of rows, and what they cost. */
export interface Keeping {
  /** Credits a row costs at most (interface: Credits); left out where nothing is charged. */
  readonly creditsOf?: ((row: Row) => number) | undefined;
  /** What is kept of a row of a domain; all of it if left out. */
  readonly keep?: (row: Row, domain: string) => Row;
}

/** Collects what became of the domains of a run. */
export class Outcomes {
  private readonly outcomes = new Map<string, DomainOutcome>();
  private readonly charged: string[] = [];
  private readonly oddities = new Map<string, Oddity>();
  private readonly foreign: Row[] = [];
  private answers = 0;
  private readonly paid = { domains: 0, credits: 0 };

  constructor(private readonly keeping: Keeping) {}

  /** Credits that a domain has cost at most, on average; undefined before the first answer. */
  get price(): number | undefined {
    const { domains, credits } = this.paid;
    return domains === 0 ? undefined : credits / domains;
  }

  /**
   * Gives each domain of a batch what its answer has for it.
   *
   * @returns what all rows of the answer may have cost, whosever they are.
   */
  accept(batch: readonly string[], answer: BatchAnswer): number {
    const { creditsOf = () => 0, keep = (row: Row) => row } = this.keeping;
    const { share = 1, foreign = [], rows, rejected, oddities } = answer;
    this.answers += share;
    for (const oddity of oddities) this.oddities.set(oddity.field, oddity);
    this.foreign.push(...foreign);
    // What one does to its row, another must not see.
    const own = eachItsOwn();
    let credits = 0;
    for (const row of foreign) credits += creditsOf(row);
    for (const domain of batch) {
      const row = rows.get(domain);
      if (row === undefined) {
        this.outcomes.set(domain, { kind: rejected.has(domain) ? 'rejected' : 'missing' });
        continue;
      }
      const cost = creditsOf(row);
      if (cost > 0) this.charged.push(domain);
      const copy = own(row);
      if (copy === row) credits += cost;
      this.outcomes.set(domain, { kind: 'row', row: keep(copy, domain) });
    }
    this.paid.domains += batch.length;
    this.paid.credits += credits;
    return credits;
  }

  fail(domains: readonly string[], error: ServiceError): void {
    for (const domain of domains) this.outcomes.set(domain, { kind: 'failed', error });
  }

  /** @param tell gets what the user should know of rows that are nobody's. */
  report(tell: (message: string) => void): BatchReport {
    const { outcomes, charged, answers, oddities, foreign } = this;
    if (foreign.length > 0) tell(textAboutForeign(foreign));
    return { outcomes, charged, answers, oddities: [...oddities.values()] };
  }
}
