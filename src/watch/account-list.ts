import { splitEntries, InputError, createNoDomainsError } from '../input/inputs';
import { readMemberPages } from '../service/lists/members';
import { quote } from '../input/quote';
import { normalizeDomain, SERVICE_DOMAIN_OPTIONS, type NormalizeOptions } from '../input/domains';
import { WHOLE_LIST } from '../run/listing/listing';
import type { Run } from '../run/run';
import { getMemberDomain } from './list-members';
import { formatMissing, readAllRows } from './entities';

/** The maximum number of accounts of one trigger: 500 requests per poll. */
const MAX_ACCOUNTS = 50_000;

/** The source of the watched companies. */
export type Accounts =
  | { readonly from: 'domains'; readonly domains: readonly string[] }
  | { readonly from: 'list'; readonly listId: string }
  | { readonly from: 'column'; readonly values: readonly unknown[] };

/** Options for domains from users and their tables. */
const USER_DOMAIN_OPTIONS: NormalizeOptions = { subdomains: 'strip', rejectFreeMail: undefined };

/**
 * Parses the accounts that a user entered: domains, URLs or email addresses separated by spaces, commas
 * or line breaks, or a list of them from an expression. Duplicates are removed.
 *
 * @param name the parameter's name in the editor.
 * @throws {InputError} when an entry contains no domain, or there are no accounts or too many.
 */
export function parseAccounts(value: unknown, name: string): string[] {
  const pieces = splitEntries(value);
  const found = pieces.map((piece) => ({ piece, ...normalizeDomain(piece, USER_DOMAIN_OPTIONS) }));
  const wrong = found.flatMap((one) =>
    one.valid ? [] : [`${quote(one.piece)}${one.about === undefined ? '' : ` (${one.message})`}`],
  );
  if (wrong.length > 0) throw createNoDomainsError(name, wrong);
  return assertBounded(parseDomains(pieces, USER_DOMAIN_OPTIONS), `"${name}"`);
}

/** The domains of the accounts, and the number of members that are missing from the list. */
interface ListedAccounts {
  readonly domains: readonly string[];
  readonly missing: number;
}

/**
 * Returns the domains of the accounts. The members of a list are read with 1 request per 1,000 members,
 * plus 1, for up to 1 credit per member.
 *
 * @throws {NotFoundError} when the list does not exist or the user may not see it.
 * @throws {InputError} when there are too many accounts, or none; only a list can be empty.
 * @throws {InvalidResponseError} `list_incomplete`, when more than a few members are missing.
 */
export async function readAccountDomains(run: Run, accounts: Accounts): Promise<ListedAccounts> {
  if (accounts.from === 'domains') return { domains: accounts.domains, missing: 0 };
  if (accounts.from === 'column') {
    return { domains: readColumnDomains(run, accounts.values), missing: 0 };
  }
  const filters = { force_refresh: true };
  const pages = readMemberPages(run, accounts.listId, filters, WHOLE_LIST);
  const { rows, missing, total } = await readAllRows(pages, 'members');
  if (missing > 0) run.warn(`Not compared among the members: ${formatMissing(missing, total)}`);
  const domains = parseDomains(rows.map(getMemberDomain), SERVICE_DOMAIN_OPTIONS);
  warnAboutMissingDomains(run, rows.length - domains.length, 'members of the list');
  // An empty list is allowed: it can have members later.
  return { domains: domains.length === 0 ? [] : assertBounded(domains, 'The list'), missing };
}

/**
 * Returns the domains in a column. Other workflows can write anything there, so other values are
 * skipped.
 */
function readColumnDomains(run: Run, values: readonly unknown[]): string[] {
  const domains = parseDomains(values, USER_DOMAIN_OPTIONS);
  warnAboutMissingDomains(run, values.length - domains.length, 'rows of the table');
  return assertBounded(domains, 'The table');
}

/** Returns the domains of the values that contain one, with duplicates. */
function parseDomains(values: readonly unknown[], options: NormalizeOptions): string[] {
  const found = values.map((value) => normalizeDomain(value, options));
  return found.flatMap((one) => (one.valid ? [one.domain] : []));
}

function warnAboutMissingDomains(run: Run, without: number, what: string): void {
  if (without > 0) run.warn(`${String(without)} ${what} have no domain and are not watched`);
}

/** Removes duplicates and checks the number of accounts. */
function assertBounded(all: readonly string[], what: string): string[] {
  const domains = [...new Set(all)];
  if (domains.length >= 1 && domains.length <= MAX_ACCOUNTS) return domains;
  const most = MAX_ACCOUNTS.toLocaleString('en-US');
  throw new InputError(
    domains.length === 0
      ? `${what} has no accounts`
      : `${what} has ${domains.length.toLocaleString('en-US')} accounts, but only ${most} are allowed`,
    `Enter 1 to ${most} companies. For more, use several triggers.`,
  );
}
