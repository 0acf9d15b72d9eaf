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

/** An API key, with the organization and the user that it belongs to. */
export interface Account {
  readonly name: KeyName;
  readonly key: string;
  readonly kind: 'user' | 'organization';
  readonly organizationId: string;
  /** Null for organization keys. */
  readonly userId: string | null;
  readonly purpose: string;
  /** Maximum number of domains in one bulk lookup (Companies, rule 2). */
  batchCeiling: number;
  requestsPerMinute: number;
  requestsPerDay: number;
}

const CREDITS: Readonly<Record<string, number>> = {
  'org-main': 1_000_000,
  'org-elsewhere': 1_000_000,
  'org-nearly-out': 25,
  'org-empty': 0,
  'org-low-batch': 1_000_000,
};

/** Rate limits that every key gets. Throughput tests raise them. */
export interface KeyLimits {
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
}

/** Returns new copies of the demo accounts. */
export function buildAccounts(limits: KeyLimits): Account[] {
  const account = (
    name: KeyName,
    organizationId: string,
    userId: string | null,
    purpose: string,
    batchCeiling: number = LIMITS.batch,
  ): Account => ({
    name,
    key: KEYS[name],
    kind: userId === null ? 'organization' : 'user',
    organizationId,
    userId,
    purpose,
    batchCeiling,
    ...limits,
  });
  return [
    account('user', 'org-main', 'user-main', 'user key, 1,000,000 credits: the one to start with'),
    account(
      'organization',
      'org-main',
      null,
      'organization key of the same organization: no lists',
    ),
    account('colleague', 'org-main', 'user-colleague', 'another user of the same organization'),
    account('otherOrganization', 'org-elsewhere', 'user-elsewhere', 'user of another organization'),
    account('nearlyOut', 'org-nearly-out', 'user-nearly-out', 'user key with 25 credits left'),
    account('empty', 'org-empty', 'user-empty', 'user key without credits'),
    account(
      'lowBatch',
      'org-low-batch',
      'user-low-batch',
      'user key with a batch ceiling of 25',
      25,
    ),
  ];
}

/** Returns the credits that each organization starts with. */
export function initialCredits(): Map<string, number> {
  return new Map(Object.entries(CREDITS));
}
