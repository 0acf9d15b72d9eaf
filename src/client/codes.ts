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

/** The API spec's code that a value is; capitals and hyphens do not matter, a sentence is none. */
export function interfaceCodeOf(value: unknown): InterfaceCode | undefined {
  const word = typeof value === 'string' ? value.toLowerCase().replaceAll('-', '_') : '';
  return INTERFACE_CODES.find((code) => code === word);
}

/** Whether the API spec lists the code (Errors), so that the response is the service's own. */
export function isInterfaceCode(code: string): boolean {
  return interfaceCodeOf(code) === code;
}
