import { inSnakeCase } from './values';

/** Every code that the interface states (Errors). */
const INTERFACE_CODES = [
  'batch_too_large',
  'invalid_tech_key',
  'invalid_domain',
  'credit_exhausted',
  'user_credential_required',
  'company_not_found',
  'partner_not_found',
  'partnership_not_found',
  'technology_not_found',
  'vendor_not_found',
  'job_not_found',
  'operational_rate_limit_exceeded',
] as const;

export type InterfaceCode = (typeof INTERFACE_CODES)[number];

/** Longer texts are no codes, and not worth looking through. */
const LONGEST = 300;

/**
 * The interface's code that a text stands for, however it is written: `BATCH_TOO_LARGE`,
 * `batch-too-large`, `batchTooLarge`, `Batch too large`, `batch_too_large: at most 50`, or an address
 * that ends with it. Undefined for any other text.
 */
export function interfaceCodeOf(text: string): InterfaceCode | undefined {
  if (text.length > LONGEST) return undefined;
  const [beforeColon = ''] = text.split(/:\s/);
  const words = [text, beforeColon, lastPartOf(text)].map(inSnakeCase);
  return INTERFACE_CODES.find((code) => words.includes(code));
}

/** Whether the interface lists the code (Errors), so that the answer is the service's own. */
export function isInterfaceCode(code: string): boolean {
  return interfaceCodeOf(code) === code;
}

/** What stands behind the last slash, colon or hash of an address; the text itself where it is none. */
export function lastPartOf(text: string): string {
  return text.split(/[/:#]/).findLast((part) => part !== '') ?? text;
}
