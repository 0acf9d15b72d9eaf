/** All error codes of the API spec (Errors). */
const API_SPEC_CODES = [
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

export type ApiErrorCode = (typeof API_SPEC_CODES)[number];

/** Returns the API spec's code for a value, ignoring case and hyphens; undefined if there is none, as for a sentence. */
export function toApiErrorCode(value: unknown): ApiErrorCode | undefined {
  const word = typeof value === 'string' ? value.toLowerCase().replaceAll('-', '_') : '';
  return API_SPEC_CODES.find((code) => code === word);
}

/** Returns whether the API spec lists the code (Errors), which proves that the service itself responded. */
export function isApiErrorCode(code: string): boolean {
  return toApiErrorCode(code) === code;
}
