import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InvalidResponseError } from '../../client/errors';
import { normalizeDomain, type NormalizedDomain, type NormalizeOptions } from '../../input/domains';
import { InputError } from '../../input/inputs';
import type { RunLimits } from '../parameters/for-run';
import { readerOf, warnOfFixed } from './each-item';
import { readEach, type Failure, type RowResult } from './items';
import type { RowOutput } from './row-form';

/** Options of operations on all rows at once. They hold for the whole run. */
export interface RowOptions extends RowOutput, NormalizeOptions, RunLimits {}

/** An input item with a domain, and what more is read of it. */
export interface WithDomain<More = unknown> {
  readonly kind: 'domain';
  readonly found: Extract<NormalizedDomain, { valid: true }>;
  readonly more: More;
}

/** What one input item asks for. */
export type DomainRow<More = unknown> =
  | WithDomain<More>
  | { readonly kind: 'invalid'; readonly found: Extract<NormalizedDomain, { valid: false }> }
  /** An expression failed for this item, or what it says is wrong. */
  | Failure;

interface Reading extends NormalizeOptions {
  /** There is no item in which a row without a usable domain could be said to be invalid. */
  readonly invalidFails?: boolean;
}

/**
 * Reads the `domain` parameter of every input item, and what more an operation wants of those that
 * have one.
 *
 * @throws what {@link readEach} throws.
 */
export function readDomainRows<More = undefined>(
  context: IExecuteFunctions,
  { invalidFails = false, ...options }: Reading,
  more: (domain: string, itemIndex: number) => More,
): Array<DomainRow<More>> {
  const read = readerOf(context, 'domain');
  const rows = readEach(context, (itemIndex): DomainRow<More> => {
    const found = normalizeDomain(read(itemIndex), options);
    if (found.valid) return { kind: 'domain', found, more: more(found.domain, itemIndex) };
    if (!invalidFails) return { kind: 'invalid', found };
    const advice = 'Give a domain, a URL or an e-mail address, or leave this row out.';
    throw new InputError(found.message, advice);
  });
  if (rows[0]?.kind === 'domain') {
    context.addExecutionHints(...warnOfFixed(context, { name: 'domain', displayName: 'Domain' }));
  }
  return rows;
}

/**
 * One result for each row. Nothing was sent for rows without a usable domain.
 *
 * @param resultOf what came of a row that has one.
 */
export function resultsOf<More, Result>(
  rows: ReadonlyArray<DomainRow<More>>,
  resultOf: (row: WithDomain<More>) => Result,
): Array<Result | RowResult> {
  return rows.map((row) => {
    if (row.kind === 'domain') return resultOf(row);
    if (row.kind === 'failure') return row;
    const { reason, message } = row.found;
    return { kind: 'result', result: invalidResult(null, reason, message) };
  });
}

/** The domains of rows, each of them once, in the order of the rows. */
export function distinctDomains(rows: readonly DomainRow[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.kind === 'domain' ? [row.found.domain] : [])))];
}

/** How many companies rows hold, and how many of the rows are about one that came before. */
export function countsOf(rows: readonly DomainRow[]): {
  rows: number;
  distinct_companies: number;
  duplicate_rows: number;
} {
  const usable = rows.filter(({ kind }) => kind === 'domain').length;
  const distinct = distinctDomains(rows).length;
  return { rows: rows.length, distinct_companies: distinct, duplicate_rows: usable - distinct };
}

/**
 * The failure of a row of which nobody knows what became.
 *
 * @param where nothing is said of its domain: "The answer".
 */
export function noEntry(
  where: string,
  domain: string,
  more: Readonly<Record<string, unknown>> = {},
): InvalidResponseError {
  return new InvalidResponseError({
    code: 'no_result',
    message: `${where} has no entry for ${domain}`,
    hint: 'Run this row again; if that does not help, report the domain to the service.',
    details: { domain, ...more },
  });
}

/** The result of a row that holds no usable domain: no request and no credit was spent on it. */
export function invalidResult(domain: string | null, reason: string, message: string): IDataObject {
  return { domain, status: 'invalid', reason, message };
}
