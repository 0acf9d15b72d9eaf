import { LIMITS } from './limits';

/** API keys for each test situation. They are constant and readable, so tests can name them. */
export const KEYS = {
  user: 'ci_user_main',
  organization: 'ci_org_main',
  colleague: 'ci_user_colleague',
  otherOrganization: 'ci_user_elsewhere',
  nearlyOut: 'ci_user_nearly_out',
  empty: 'ci_user_empty',
  lowBatch: 'ci_user_low_batch',
} as const;

export type KeyName = keyof typeof KEYS;

/** Rate limits that every key gets. Throughput tests raise them. */
export interface KeyLimits {
  requestsPerMinute: number;
  requestsPerDay: number;
}

/** An API key, with the organization and the user that it belongs to. */
export interface Account extends KeyLimits {
  readonly name: KeyName;
  readonly key: string;
  readonly organizationId: string;
  /** Null for organization keys. */
  readonly userId: string | null;
  /** Maximum number of domains in one bulk lookup (Companies, rule 2). */
  batchCeiling: number;
}

/** Organization and user of each key. */
const OWNERS: Readonly<Record<KeyName, readonly [string, string | null]>> = {
  user: ['org-main', 'user-main'],
  organization: ['org-main', null],
  colleague: ['org-main', 'user-colleague'],
  otherOrganization: ['org-elsewhere', 'user-elsewhere'],
  nearlyOut: ['org-nearly-out', 'user-nearly-out'],
  empty: ['org-empty', 'user-empty'],
  lowBatch: ['org-low-batch', 'user-low-batch'],
};

/** Returns new copies of the demo accounts. */
export function buildAccounts(limits: KeyLimits): Account[] {
  return Object.entries(OWNERS).map(([name, [organizationId, userId]]) => ({
    name: name as KeyName,
    key: KEYS[name as KeyName],
    organizationId,
    userId,
    batchCeiling: name === 'lowBatch' ? 25 : LIMITS.batch,
    ...limits,
  }));
}

/** The organizations that start with fewer credits than the others. */
export const INITIAL_CREDITS = { 'org-nearly-out': 25, 'org-empty': 0 };
