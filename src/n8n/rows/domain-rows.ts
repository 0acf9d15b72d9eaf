import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidResponseError } from '../../client/errors';
import { normalizeDomain, type NormalizedDomain, type NormalizeOptions } from '../../input/domains';
import { InputError } from '../../input/inputs';
import type { RunLimits } from '../parameters/read';
import { readerOf, warnOfFixed } from './each-item';
import type { RowOutput } from './row-form';
import { readRows, succeeded, type Asked, type Outcome, type Rows } from './rows';

/** Options of operations on all rows at once. They hold for the whole run. */
export interface RowOptions extends RowOutput, NormalizeOptions, RunLimits {}

/** What was found in a row with a usable domain. */
export type FoundDomain = Extract<NormalizedDomain, { valid: true }>;

/** What an operation asks about a company. */
export interface OfCompany {
  readonly domain: string;
}

/** How many companies rows hold, and how many of the rows are about one that came before. */
export interface DomainCounts {
  readonly rows: number;
  readonly distinct_companies: number;
  readonly duplicate_rows: number;
}

/** Rows of which each names a company. */
export interface DomainRows<Ask> extends Rows<Ask> {
  readonly counts: DomainCounts;
  /** Why rows hold no usable domain, one for each of them. */
  readonly invalid: readonly string[];
}

interface Reading extends NormalizeOptions {
  /** There is no item in which a row without a usable domain could be said to be invalid. */
  readonly invalidFails?: boolean;
}

/**
 * Reads the `domain` parameter of every input item, and what those that have one ask for. The others
 * are results already: no request and no credit is spent on them.
 *
 * @throws what {@link readRows} throws.
 */
export function readDomainRows<Ask>(
  context: IExecuteFunctions,
  { invalidFails = false, ...options }: Reading,
  askedOf: (found: FoundDomain, itemIndex: number) => Asked<Ask> | Outcome,
): DomainRows<Ask> {
  const read = readerOf(context, 'domain');
  const companies = new Set<string>();
  const invalid: string[] = [];
  let usable = 0;
  const { rows, tasks } = readRows(context, (itemIndex) => {
    const found = normalizeDomain(read(itemIndex), options);
    if (found.valid) {
      const asked = askedOf(found, itemIndex);
      companies.add(found.domain);
      usable += 1;
      return asked;
    }
    if (invalidFails) {
      const advice = 'Give a domain, a URL or an e-mail address, or leave this row out.';
      throw new InputError(found.message, advice);
    }
    invalid.push(found.reason);
    return invalidRow(null, found.reason, found.message);
  });
  if (usable > 0) {
    context.addExecutionHints(...warnOfFixed(context, { name: 'domain', displayName: 'Domain' }));
  }
  const counts = {
    rows: rows.length,
    distinct_companies: companies.size,
    duplicate_rows: usable - companies.size,
  };
  return { rows, tasks, counts, invalid };
}

/** A row without a domain that the service could know: no credit was spent on it. */
export function invalidRow(domain: string | null, reason: string, message: string): Outcome {
  return succeeded({ domain, status: 'invalid', reason, message });
}

/**
 * The failure of a row of which nobody knows what became.
 *
 * @param where nothing is said of its domain.
 */
export function noEntry(
  domain: string,
  where = 'The answer of the service',
  more: Readonly<Record<string, unknown>> = {},
): InvalidResponseError {
  return new InvalidResponseError({
    code: 'no_result',
    message: `${where} has no entry for ${domain}`,
    hint: 'Run this row again; if that does not help, report the domain to the service.',
    details: { domain, ...more },
  });
}
