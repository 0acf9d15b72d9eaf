import { includesPartners, lookUpAllCompanies, type CompanySection } from '../service/companies';
import { joinFirst } from '../input/quote';
import type { DomainOutcome } from '../run/batches';
import { isRow, type Row } from '../run/responses/rows';
import type { Run } from '../run/run';
import {
  readAccount,
  parseAccount,
  EMPTY_ACCOUNT,
  diffAccount,
  completeSections,
  describeIncompleteSection,
  serializeAccount,
  countRemovals,
  UNKNOWN_ACCOUNT,
} from './account';
import type { Account, AccountEvent, StoredAccount, RivalGroups } from './account';
import { readAccountDomains, type Accounts } from './account-list';
import { assertPlausible, isPlausible, removedShare } from './change';
import type { Change, PreviousSnapshot, RemovalCount, PollDiff } from './change';
import { countMissingIds, keepUnidentified, type WatchedEntities } from './entities';

/** The watched accounts, and the events to report. */
export interface WatchedAccounts {
  readonly accounts: Accounts;
  readonly events: readonly AccountEvent[];
  readonly rivals: RivalGroups;
  /** See {@link assertPlausible}. */
  readonly maxGonePercent: number;
}

/**
 * Reads all accounts in batches of 100 and compares them with the previous state. An account that is
 * new, or that the service has only now begun to track, is saved without a change. An account that
 * could not be read keeps its previous state.
 *
 * @param earlier the previous state; undefined at the first poll.
 * @throws {ServiceError} when no account, or not the list of accounts, could be read.
 * @throws {NotAttemptedError} when Max Credits does not cover the accounts (nothing was sent), or when
 * the partners of the accounts used it up.
 * @throws {InvalidResponseError} `implausible_change`, when too many data of all accounts are gone;
 * `list_incomplete`, when members of the list are missing.
 */
export async function diffAccounts(
  run: Run,
  { accounts, events, rivals, maxGonePercent }: WatchedAccounts,
  earlier: PreviousSnapshot | undefined,
): Promise<PollDiff<AccountEvent>> {
  const before = (earlier?.table ?? new Map()) as WatchedEntities<StoredAccount>;
  const listed = await readAccountDomains(run, accounts);
  // An account that is missing from the response by mistake must keep its previous state.
  const watched = new Map(listed.domains.map((domain) => [domain, before.get(domain) ?? {}]));
  const odd = keepUnidentified(before, watched, listed.missing, earlier?.odd);
  const domains = [...watched.keys()];
  // Typed domains are gone because a user removed them.
  if (accounts.from !== 'domains')
    assertPlausible(countGoneAccounts(domains, before), maxGonePercent);
  run.credits.check(domains.length);
  const sections = listSections(events);
  const outcomes = await readOutcomes(run, domains, sections);
  const comparisons = domains.map((domain): AccountComparison => {
    const known = parseAccount(before.get(domain) ?? {});
    const outcome = outcomes.get(domain);
    const read =
      outcome?.kind === 'row' ? readAccount(outcome.row, sections, known) : UNKNOWN_ACCOUNT;
    const account = completeSections(read, known);
    const incompleteSection =
      outcome?.kind === 'row' ? describeIncompleteSection(outcome.row, sections) : undefined;
    return {
      domain,
      known,
      read,
      account,
      incompleteSection,
      removals: countRemovals(known, account),
    };
  });
  warnUntracked(
    run,
    domains.filter((domain) => isUntracked(outcomes.get(domain)) && !before.has(domain)),
  );
  const implausible = findImplausibleAccounts(run, comparisons, maxGonePercent);
  // Without the event for migrations, they are reported as adopted and dropped technologies.
  const groups = events.includes('technologyMigrated') ? rivals : [];
  return {
    now: new Map(
      comparisons.map((one) => [
        one.domain,
        serializeAccount(implausible.has(one) ? one.known : one.account),
      ]),
    ),
    changes: comparisons
      .filter((one) => !implausible.has(one))
      .flatMap(({ domain, known, read }) =>
        diffAccount(domain, earlier === undefined ? EMPTY_ACCOUNT : known, read, groups).map(
          (one) => ({
            ...one,
            facts: { domain, ...readName(outcomes.get(domain)), ...one.facts },
          }),
        ),
      ),
    odd,
    note: formatIncompleteSections(comparisons),
  };
}

/** Returns the name of an account, if the service returned it. */
function readName(outcome: DomainOutcome | undefined): Row {
  const company = outcome?.kind === 'row' ? outcome.row.company : undefined;
  return isRow(company) && typeof company.name === 'string' ? { company_name: company.name } : {};
}

/**
 * Returns the note about sections that are incomplete and not compared; undefined if there are none.
 */
function formatIncompleteSections(comparisons: readonly AccountComparison[]): string | undefined {
  const incomplete = comparisons.filter((one) => one.incompleteSection !== undefined);
  const [first] = incomplete;
  if (first === undefined) return undefined;
  return `${String(incomplete.length)} of ${String(comparisons.length)} accounts have a section that the service shortened and that was not compared: ${first.domain} (${String(first.incompleteSection)})`;
}

function isUntracked(outcome: DomainOutcome | undefined): boolean {
  return outcome?.kind === 'row'
    ? outcome.row.status === 'not_tracked'
    : outcome?.kind !== 'failed';
}

/** The number of untracked accounts that the warning names. */
const MAX_NAMED_ACCOUNTS = 5;

/** Warns once about accounts that the service does not track: they may be mistyped. */
function warnUntracked(run: Run, domains: readonly string[]): void {
  if (domains.length === 0) return;
  run.warn(
    `${String(domains.length)} of the accounts are mistyped or not tracked by the service. The trigger reports nothing about them until the service tracks them: ${joinFirst(domains, MAX_NAMED_ACCOUNTS)}`,
  );
}

/** The previous and current state of an account, and the data that would be gone. */
interface AccountComparison {
  readonly domain: string;
  readonly known: Account;
  readonly read: Account;
  /** The current state, completed by the previous state. */
  readonly account: Account;
  /** The section that is incomplete; undefined if there is none. */
  readonly incompleteSection: string | undefined;
  readonly removals: Omit<RemovalCount, 'what'>;
}

/**
 * Returns the accounts that lost too much at once. They keep their previous state, and the changes of
 * the others are reported. Many small losses count as one large loss.
 *
 * @param percent the largest share that can disappear between two polls.
 * @throws {InvalidResponseError} `implausible_change`, when all accounts lost too much.
 */
function findImplausibleAccounts(
  run: Run,
  comparisons: readonly AccountComparison[],
  percent: number,
): ReadonlySet<AccountComparison> {
  const toRemovalCount = (some: readonly AccountComparison[]) => ({
    before: some.reduce((sum, { removals }) => sum + removals.before, 0),
    gone: some.reduce((sum, { removals }) => sum + removals.gone, 0),
    what: 'technologies and partnerships of the accounts',
  });
  const alone = comparisons.filter(({ removals }) => !isPlausible(removals, percent));
  const rest = comparisons.filter((one) => !alone.includes(one));
  const shrunk = rest.filter(({ removals }) => removedShare(removals) > percent);
  const together =
    isPlausible(toRemovalCount(rest), percent) && !isOutage(shrunk, comparisons) ? [] : shrunk;
  const implausible = [...alone, ...together];
  // All accounts lost too much, so the error holds back no changes of other accounts.
  if (
    implausible.length ===
    comparisons.filter(({ read }) => read.technologies ?? read.partnerships).length
  )
    assertPlausible(toRemovalCount(implausible), percent);
  const [first] = implausible;
  if (first === undefined) return new Set();
  const { before, gone } = first.removals;
  run.warn(
    `${String(implausible.length)} of ${String(comparisons.length)} accounts keep their previous state, because more than ${String(percent)}% of their data would be gone at once, which is treated as a service fault: ${first.domain} (${String(gone)} of ${String(before)}). If the data is really gone, raise Max Gone at Once (%) until the next poll has run.`,
  );
  return new Set(implausible);
}

/** The largest share of accounts, in percent, that can lose data at once by normal changes. */
const SHRUNK_PERCENT = 10;

/** Returns whether many accounts lost data: a partial outage empties many accounts, even small ones. */
function isOutage(
  shrunk: readonly AccountComparison[],
  comparisons: readonly AccountComparison[],
): boolean {
  const before = comparisons.filter(({ removals }) => removals.before > 0).length;
  return !isPlausible({ before, gone: shrunk.length }, SHRUNK_PERCENT);
}

/** Counts the accounts that are gone, whose previous state would be deleted. */
function countGoneAccounts(
  domains: readonly string[],
  before: WatchedEntities<unknown>,
): RemovalCount {
  const watched = new Map(domains.map((domain) => [domain, domain]));
  return { before: before.size, gone: countMissingIds(before, watched), what: 'accounts' };
}

/** Returns the sections of the bulk lookup that the events need; other sections would cost credits. */
function listSections(events: readonly AccountEvent[]): CompanySection[] {
  const has = (prefix: string) => events.some((event) => event.startsWith(prefix));
  return [
    ...(has('technology') ? (['technologies'] as const) : []),
    ...(has('partnership') ? (['partnerships'] as const) : []),
  ];
}

async function readOutcomes(
  run: Run,
  domains: readonly string[],
  sections: readonly CompanySection[],
): Promise<ReadonlyMap<string, DomainOutcome>> {
  // The number of partners of an account is known only from the response. With one batch at a time, only
  // the last batch can exceed the limit.
  const isUncertain = run.credits.limit !== undefined && includesPartners(sections);
  const outcomes = await lookUpAllCompanies(run, domains, sections, isUncertain ? 1 : undefined);
  const failures = [...outcomes.values()].flatMap((one) => (one.kind === 'failed' ? [one] : []));
  const [first] = failures;
  if (first === undefined) return outcomes;
  // If these errors were tolerated, the same accounts would be skipped at every poll.
  const unpaid = failures.find(({ error }) => error.code === 'max_credits_reached');
  if (unpaid !== undefined) throw unpaid.error;
  if (failures.length === domains.length) throw first.error;
  run.warn(
    `${String(failures.length)} of ${String(domains.length)} accounts could not be read and are compared at a later poll: ${first.error.message}`,
  );
  return outcomes;
}

/** Returns sample changes of a fictitious company. */
export function sampleAccountChanges(): Array<Change<AccountEvent>> {
  const technology = (tech_key: string, display_name: string) => ({
    tech_key,
    display_name,
    vendor_name: display_name,
  });
  const domain = 'example.com';
  const partner = 'partner.example';
  const known = { partner, partnership_type: 'technology' };
  const partnership = { partner_name: 'Partner Example', partner_domain: partner };
  const analytics = technology('example-analytics', 'Example Analytics');
  const other = technology('other-analytics', 'Other Analytics');
  const change = (event: AccountEvent, facts: Change['facts']): Change<AccountEvent> => ({
    event,
    id: domain,
    facts: { domain, company_name: 'Example Inc.', ...facts },
  });
  const dropped = { tech_key: other.tech_key, display_name: other.display_name };
  return [
    change('technologyAdopted', analytics),
    change('technologyDropped', dropped),
    change('technologyMigrated', {
      from_tech_keys: dropped.tech_key,
      to_tech_keys: analytics.tech_key,
      from: [dropped],
      to: [analytics],
    }),
    change('partnershipGained', { ...known, ...partnership }),
    change('partnershipLost', { ...known, partner_name: partnership.partner_name }),
    change('partnershipTypeChanged', {
      ...known,
      previous_partnership_type: 'generic',
      ...partnership,
    }),
  ];
}
