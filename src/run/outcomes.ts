import type { ServiceError } from '../client/errors';
import { formatUnrequestedRows, type BatchResponse } from './responses/batch-response';
import { copyAfterFirst, type Row } from './responses/rows';

/** Outcome of one domain. Every requested domain gets exactly one. */
export type DomainOutcome =
  | { readonly kind: 'row'; readonly row: Row }
  /** The service rejected the domain as malformed. */
  | { readonly kind: 'rejected' }
  /** The response to the batch does not mention the domain. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** Outcomes of all domains of a run. */
export interface BatchOutcomes {
  readonly outcomes: ReadonlyMap<string, DomainOutcome>;
  /** Domains whose rows may have cost credits. */
  readonly charged: readonly string[];
}

/** The same, with what they took. */
export interface BatchReport extends BatchOutcomes {
  /** Number of requests sent; for one that other runs shared, this run's fraction. */
  readonly requests: number;
}

/** How rows are kept and what they cost. */
export interface RowPolicy {
  /** Returns the maximum credits of a row (API spec: Credits); omitted if nothing is charged. */
  readonly creditsOf?: ((row: Row) => number) | undefined;
  /** Returns what to keep of a domain's row; the whole row if omitted. */
  readonly keep?: (row: Row, domain: string) => Row;
}

/** Collects the outcomes of the domains of a run. */
export class OutcomeCollector {
  private readonly outcomes = new Map<string, DomainOutcome>();
  private readonly charged: string[] = [];
  private readonly unrequestedRows: Row[] = [];
  private readonly observed = { domains: 0, credits: 0 };

  constructor(private readonly keeping: RowPolicy) {}

  /** Average of the maximum credits per domain; undefined before the first response. */
  get price(): number | undefined {
    const { domains, credits } = this.observed;
    return domains === 0 ? undefined : credits / domains;
  }

  /**
   * Records the outcome of each domain of a batch from the response.
   *
   * @returns Maximum credits of all rows of the response, including rows for other domains.
   */
  accept(batch: readonly string[], response: BatchResponse): number {
    const { creditsOf = () => 0, keep = (row: Row) => row } = this.keeping;
    const { unrequestedRows = [], rows, rejected } = response;
    this.unrequestedRows.push(...unrequestedRows);
    // Domains that share a row get copies, so that changes to one are not visible in another.
    const own = copyAfterFirst();
    let credits = 0;
    for (const row of unrequestedRows) credits += creditsOf(row);
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
    this.observed.domains += batch.length;
    this.observed.credits += credits;
    return credits;
  }

  fail(domains: readonly string[], error: ServiceError): void {
    for (const domain of domains) this.outcomes.set(domain, { kind: 'failed', error });
  }

  /** @param warn Receives a warning about rows that belong to no requested domain. */
  report(warn: (message: string) => void): BatchOutcomes {
    const { outcomes, charged, unrequestedRows } = this;
    if (unrequestedRows.length > 0) warn(formatUnrequestedRows(unrequestedRows));
    return { outcomes, charged };
  }
}
