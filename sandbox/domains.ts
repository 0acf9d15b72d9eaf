import { errors } from './errors';
import { LIMITS } from './limits';

/** Counts the characters of a text: code points, like JSON Schema, instead of UTF-16 code units. */
export function characterCount(text: string): number {
  return Array.from(text).length;
}

/**
 * Normalizes a domain like enrichment (Enrichment, rule 1): trims it, converts it to lower case,
 * and removes one leading `www.`.
 */
export function normalizeDomain(text: string): string {
  const trimmed = text.trim().toLowerCase();
  return trimmed.startsWith('www.') ? trimmed.slice('www.'.length) : trimmed;
}

/**
 * Returns the domains that enrichment looks up: normalized and without duplicates. It drops entries
 * without a dot or with more than 253 characters (Enrichment, rule 1).
 */
export function enrichableDomains(entries: readonly string[]): string[] {
  const kept = entries
    .map(normalizeDomain)
    .filter((domain) => domain.includes('.') && characterCount(domain) <= LIMITS.domainLength);
  return [...new Set(kept)];
}

/** @throws 400 `batch_too_large` if there are more domains than a request may have */
export function requireBatch(domains: readonly string[], ceiling: number = LIMITS.batch): void {
  if (domains.length > ceiling) throw errors.batchTooLarge(ceiling);
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const WELL_FORMED = new RegExp(`^(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$`);

/**
 * Returns whether a normalized domain is well-formed: labels of letters, digits and hyphens, and a
 * plausible top-level domain.
 */
export function isWellFormedDomain(domain: string): boolean {
  return domain.length <= LIMITS.domainLength && WELL_FORMED.test(domain);
}
