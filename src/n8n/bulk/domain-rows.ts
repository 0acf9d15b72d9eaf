import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InvalidResponseError } from '../../client/errors';
import {
  normalizeDomain,
  type NormalizedDomain,
  type NormalizeOptions,
} from '../../domains/normalize';
import { asError } from '../failures';
import { readerOf } from './each-item';

/** What one input item asks for. */
export type DomainRow =
  | { readonly kind: 'domain'; readonly found: Extract<NormalizedDomain, { valid: true }> }
  | { readonly kind: 'invalid'; readonly found: Extract<NormalizedDomain, { valid: false }> }
  /** The `domain` expression itself failed for this item. */
  | { readonly kind: 'failed'; readonly failure: Error };

/** Reads the `domain` parameter of every input item. Nothing is thrown: each row stands for itself. */
export function readDomainRows(
  context: IExecuteFunctions,
  itemCount: number,
  options: NormalizeOptions,
): DomainRow[] {
  const read = readerOf(context, 'domain');
  return Array.from({ length: itemCount }, (_unused, itemIndex): DomainRow => {
    let value: unknown;
    try {
      value = read(itemIndex);
    } catch (error) {
      return { kind: 'failed', failure: asError(error) };
    }
    const found = normalizeDomain(value, options);
    return found.valid ? { kind: 'domain', found } : { kind: 'invalid', found };
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
 * Of distinct domains those that are asked for.
 *
 * @param onlyFirst how many; 0 for all.
 */
export function sampleOf(domains: readonly string[], onlyFirst: number): readonly string[] {
  return onlyFirst === 0 ? domains : domains.slice(0, onlyFirst);
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
    hint: 'Run this row again; if it stays so, report the domain to the service.',
    details: { domain, ...more },
  });
}

/** The result of a row that holds no usable domain: no request and no credit was spent on it. */
export function invalidResult(domain: string | null, reason: string, message: string): IDataObject {
  return { domain, status: 'invalid', reason, message };
}
