import { normalizeDomain, SERVICE_DOMAIN_OPTIONS, type NormalizeOptions } from '../input/domains';
import { createNoDomainsError, InputError, splitEntries } from '../input/inputs';
import { joinFirst, quote, formatNumber } from '../values/text';
import type { Run } from '../run/run';
import { createNotComparableError } from './change';
import { readListMembers } from './list-members';
import type { CompanyList } from './entities';

/** 500 requests per poll. */
const MAX_ACCOUNTS = 50_000;

const MAX_NAMED_ENTRIES = 5;

interface EnteredAccounts {
  readonly domains: readonly string[];
  readonly invalid: readonly string[];
}

export type Accounts =
  | ({ readonly from: 'domains' } & EnteredAccounts)
  | { readonly from: 'list'; readonly listId: string };

const USER_DOMAIN_OPTIONS: NormalizeOptions = { subdomains: 'strip', rejectFreeMail: undefined };

/** @throws {InputError} if no entry contains a domain, or there are no accounts or too many. */
export function parseAccounts(value: unknown, name: string): EnteredAccounts {
  const entries = splitEntries(value).map((entry) => ({
    entry,
    found: normalizeDomain(entry, USER_DOMAIN_OPTIONS),
  }));
  const domains = new Set(entries.flatMap(({ found }) => (found.valid ? [found.domain] : [])));
  const invalid = entries
    .filter(({ found }) => !found.valid)
    .map(({ entry, found }) =>
      'about' in found && found.about !== undefined
        ? `${quote(entry)} (${found.message})`
        : quote(entry),
    );
  if (domains.size === 0 && invalid.length > 0) throw createNoDomainsError(name, invalid);
  assertCount(domains.size, `"${name}"`);
  return { domains: [...domains], invalid };
}

/** @throws {InputError} if the list has too many members. */
export async function readAccounts(run: Run, accounts: Accounts): Promise<CompanyList> {
  if (accounts.from === 'domains') {
    const { domains, invalid } = accounts;
    const note = `Skipped ${String(invalid.length)} of ${String(invalid.length + domains.length)} accounts, because they contain no domain: ${joinFirst(invalid, MAX_NAMED_ENTRIES)}`;
    return {
      companies: domains.map((domain) => ({ domain })),
      missing: 0,
      note: invalid.length === 0 ? undefined : note,
    };
  }
  const { companies, ...list } = await readListMembers(run, accounts.listId);
  const domains = new Set(
    companies.flatMap(({ domain }) => {
      const found = normalizeDomain(domain, SERVICE_DOMAIN_OPTIONS);
      return found.valid ? [found.domain] : [];
    }),
  );
  const rows = companies.flatMap(({ row }) => (row === undefined ? [] : [row]));
  if (domains.size === 0 && rows.length > 0)
    throw createNotComparableError('members', 'a domain', rows);
  const without = companies.length - domains.size;
  if (without > 0)
    run.warn(`${String(without)} members of the list have no domain and are not watched`);
  // An empty list is allowed: it can have members later.
  if (domains.size > 0) assertCount(domains.size, 'The list');
  return { ...list, companies: Array.from(domains, (domain) => ({ domain })) };
}

function assertCount(count: number, what: string): void {
  if (count >= 1 && count <= MAX_ACCOUNTS) return;
  const most = formatNumber(MAX_ACCOUNTS);
  throw new InputError(
    count === 0
      ? `${what} has no accounts`
      : `${what} has ${formatNumber(count)} accounts, but only ${most} are allowed`,
    `Enter 1 to ${most} companies. For more, use several triggers.`,
  );
}
