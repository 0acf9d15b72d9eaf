import { entriesOf, InputError, noDomainsIn } from '../input/inputs';
import { memberPages } from '../service/lists/members';
import { quote } from '../input/quote';
import { normalizeDomain, type NormalizeOptions } from '../input/domains';
import { WHOLE_LIST } from '../run/listing/listing';
import type { Run } from '../run/run';
import { domainOfMember } from './list-members';
import { missingText, readRows } from './things';

/** How many accounts one trigger watches at most: 500 requests a poll. */
const MAX_ACCOUNTS = 50_000;

/** Which companies are watched. */
export type Accounts =
  | { readonly from: 'domains'; readonly domains: readonly string[] }
  | { readonly from: 'list'; readonly listId: string }
  | { readonly from: 'column'; readonly values: readonly unknown[] };

/** What people and their tables name. */
const TYPED: NormalizeOptions = { subdomains: 'strip', rejectFreeMail: undefined };
/** What the service itself has given. */
const GIVEN: NormalizeOptions = { subdomains: 'keep', rejectFreeMail: false, anyHost: true };

/**
 * The accounts that a user typed in: domains, URLs or e-mail addresses with spaces, commas or line
 * breaks between them, or a list of them from an expression. Each once.
 *
 * @throws {InputError} that names what is no domain, or says that there are none or too many.
 */
export function accountsIn(value: unknown, name: string): string[] {
  const pieces = entriesOf(value);
  const found = pieces.map((piece) => ({ piece, ...normalizeDomain(piece, TYPED) }));
  const wrong = found.flatMap((one) =>
    one.valid ? [] : [`${quote(one.piece)}${one.about === undefined ? '' : ` (${one.message})`}`],
  );
  if (wrong.length > 0) throw noDomainsIn(name, wrong);
  return bounded(domainsIn(pieces, TYPED), `"${name}"`);
}

/** The domains of the accounts, and how many of a list did not come. */
interface Listed {
  readonly domains: readonly string[];
  readonly missing: number;
}

/**
 * The domains of the accounts. Those of a list are read: 1 request for each 1,000 members and one
 * more; at most 1 credit per member.
 *
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 * @throws {InputError} when there are too many; none, except of a list, which may be empty.
 * @throws {InvalidResponseError} `list_incomplete` when not nearly all members came.
 */
export async function domainsOf(run: Run, accounts: Accounts): Promise<Listed> {
  if (accounts.from === 'domains') return { domains: accounts.domains, missing: 0 };
  if (accounts.from === 'column') {
    return { domains: domainsInColumn(run, accounts.values), missing: 0 };
  }
  const filters = { force_refresh: true };
  const pages = memberPages(run, accounts.listId, filters, WHOLE_LIST);
  const { rows, missing, total } = await readRows(pages, 'members');
  if (missing > 0) run.tell(`Of the members of the list ${missingText(missing, total)}`);
  const domains = domainsIn(rows.map(domainOfMember), GIVEN);
  sayWithout(run, rows.length - domains.length, 'members of the list');
  // It may have members tomorrow.
  return { domains: domains.length === 0 ? [] : bounded(domains, 'The list'), missing };
}

/** A column that other workflows write may hold anything; what is no domain is left out. */
function domainsInColumn(run: Run, values: readonly unknown[]): string[] {
  const domains = domainsIn(values, TYPED);
  sayWithout(run, values.length - domains.length, 'rows of the table');
  return bounded(domains, 'The table');
}

/** The domains of those that have one; not yet each once. */
function domainsIn(values: readonly unknown[], options: NormalizeOptions): string[] {
  const found = values.map((value) => normalizeDomain(value, options));
  return found.flatMap((one) => (one.valid ? [one.domain] : []));
}

function sayWithout(run: Run, without: number, what: string): void {
  if (without > 0) run.tell(`${String(without)} ${what} have no domain; not watched`);
}

/** Each once. */
function bounded(all: readonly string[], what: string): string[] {
  const domains = [...new Set(all)];
  if (domains.length >= 1 && domains.length <= MAX_ACCOUNTS) return domains;
  const most = MAX_ACCOUNTS.toLocaleString('en-US');
  throw new InputError(
    domains.length === 0
      ? `${what} has no accounts`
      : `${what} has ${domains.length.toLocaleString('en-US')} accounts, ${most} are allowed`,
    `Give 1 to ${most} companies; for more, use several triggers.`,
  );
}
