import { InputError } from '../../../src/input/inputs';
import { normalizeDomain, type NormalizeOptions } from '../../../src/input/domains';

export const USUAL: NormalizeOptions = { subdomains: 'strip', rejectFreeMail: undefined };

export function read(value: unknown, options: Partial<NormalizeOptions> = {}): string {
  const found = normalizeDomain(value, { ...USUAL, ...options });
  return found.valid ? found.domain : found.reason;
}

export function attempt<T>(act: () => T): T | InputError {
  try {
    return act();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}
