import { lookUpAll, type CompanySection } from '../service/companies';
import { firstOf } from '../input/quote';
import type { DomainOutcome } from '../run/batches';
import { isRow, type Row } from '../run/answers/rows';
import type { Run } from '../run/run';
import {
  accountIn,
  accountOf,
  BARE,
  changesOfAccount,
  completed,
  cutSection,
  keptAccount,
  lossOf,
  UNKNOWN,
} from './account';
import type { Account, AccountEvent, KeptAccount, Rivals } from './account';
import { domainsOf, type Accounts } from './account-list';
import { assertPlausible, isPlausible, shareOf } from './change';
import type { Change, Earlier, Loss, Sight } from './change';
import { goneFrom, keepHidden, type Things } from './things';

/** Which accounts are watched, and for what. */
export interface WatchedAccounts {
  readonly accounts: Accounts;
  readonly events: readonly AccountEvent[];
  readonly rivals: Rivals;
  /** See {@link assertPlausible}. */
  readonly maxGonePercent: number;
}

/**
 * Reads all accounts in batches of 100 and compares them with what was remembered. An account that is
 * new, or that the service has only now begun to track, is remembered and says nothing; one that could
 * not be read stays as it was remembered.
 *
 * @param earlier undefined at a first poll.
 * @throws {ServiceError} when no account could be read, or the list of them.
 * @throws {NotAttemptedError} when Max Credits is less than there are accounts, and nothing was asked,
 * or was reached by the partners that came with them.
 * @throws {InvalidResponseError} `implausible_change` when too much is gone of all accounts;
 * `list_incomplete` when not all members came.
 */
export async function lookAtAccounts(
  run: Run,
  { accounts, events, rivals, maxGonePercent }: WatchedAccounts,
  earlier: Earlier | undefined,
): Promise<Sight<AccountEvent>> {
  const before = (earlier?.table ?? new Map()) as Things<KeptAccount>;
  const listed = await domainsOf(run, accounts);
  // What is remembered of an account that only did not come must not be forgotten.
  const watched = new Map(listed.domains.map((domain) => [domain, before.get(domain) ?? {}]));
  const odd = keepHidden(before, watched, listed.missing, earlier?.odd);
  const domains = [...watched.keys()];
  // Domains that were typed in are gone because a user took them out.
  if (accounts.from !== 'domains') assertPlausible(goneAccounts(domains, before), maxGonePercent);
  run.credits.check(domains.length);
  const sections = sectionsOf(events);
  const outcomes = await readOutcomes(run, domains, sections);
  const looks = domains.map((domain): Look => {
    const known = accountOf(before.get(domain) ?? {});
    const outcome = outcomes.get(domain);
    const read = outcome?.kind === 'row' ? accountIn(outcome.row, sections, known) : UNKNOWN;
    const account = completed(read, known);
    const cut = outcome?.kind === 'row' ? cutSection(outcome.row, sections) : undefined;
    return { domain, known, read, account, cut, loss: lossOf(known, account) };
  });
  sayUntracked(
    run,
    domains.filter((domain) => isUntracked(outcomes.get(domain)) && !before.has(domain)),
  );
  const held = heldBack(run, looks, maxGonePercent);
  // Where nobody wants to know of them, they are adopted and dropped.
  const groups = events.includes('technologyMigrated') ? rivals : [];
  return {
    now: new Map(
      looks.map((look) => [look.domain, keptAccount(held.has(look) ? look.known : look.account)]),
    ),
    changes: looks
      .filter((look) => !held.has(look))
      .flatMap(({ domain, known, read }) =>
        changesOfAccount(domain, earlier === undefined ? BARE : known, read, groups).map((one) => ({
          ...one,
          facts: { domain, ...nameIn(outcomes.get(domain)), ...one.facts },
        })),
      ),
    odd,
    note: noteOfCut(looks),
  };
}

/** The name of an account, where the service says it. */
function nameIn(outcome: DomainOutcome | undefined): Row {
  const company = outcome?.kind === 'row' ? outcome.row.company : undefined;
  return isRow(company) && typeof company.name === 'string' ? { company_name: company.name } : {};
}

/** Says what is not compared, because it did not come whole. */
function noteOfCut(looks: readonly Look[]): string | undefined {
  const cut = looks.filter((look) => look.cut !== undefined);
  const [first] = cut;
  if (first === undefined) return undefined;
  return `${String(cut.length)} of ${String(looks.length)} accounts are not compared in a section that the service shortened: ${first.domain} (${String(first.cut)})`;
}

function isUntracked(outcome: DomainOutcome | undefined): boolean {
  return outcome?.kind === 'row'
    ? outcome.row.status === 'not_tracked'
    : outcome?.kind !== 'failed';
}

/** Untracked accounts that are named. */
const NAMED = 5;

/** Says once which accounts the service does not track: they may be mistyped. */
function sayUntracked(run: Run, domains: readonly string[]): void {
  if (domains.length === 0) return;
  run.tell(
    `${String(domains.length)} of the accounts are unknown to the service, or mistyped; nothing is told of them until it tracks them: ${firstOf(domains, NAMED)}`,
  );
}

/** What was known of an account, what was read of it, and what of it would be gone. */
interface Look {
  readonly domain: string;
  readonly known: Account;
  readonly read: Account;
  /** What was read, completed by what is known. */
  readonly account: Account;
  /** What of it did not come whole. */
  readonly cut: string | undefined;
  readonly loss: Omit<Loss, 'what'>;
}

/**
 * The accounts that lost too much at once: they stay as they were remembered, and the others' news are
 * told. Many small losses are one large one.
 *
 * @throws {InvalidResponseError} `implausible_change` when that is so of all accounts.
 */
function heldBack(run: Run, looks: readonly Look[], percent: number): ReadonlySet<Look> {
  const lossOf = (some: readonly Look[]) => ({
    before: some.reduce((sum, { loss }) => sum + loss.before, 0),
    gone: some.reduce((sum, { loss }) => sum + loss.gone, 0),
    what: 'technologies and partnerships of the accounts',
  });
  const alone = looks.filter(({ loss }) => !isPlausible(loss, percent));
  const rest = looks.filter((look) => !alone.includes(look));
  const shrunk = rest.filter(({ loss }) => shareOf(loss) > percent);
  const together = isPlausible(lossOf(rest), percent) && !areMany(shrunk, looks) ? [] : shrunk;
  const held = [...alone, ...together];
  // There is no other news that it would hold back.
  if (held.length === looks.filter(({ read }) => read.technologies ?? read.partnerships).length)
    assertPlausible(lossOf(held), percent);
  const [first] = held;
  if (first === undefined) return new Set();
  const { before, gone } = first.loss;
  run.tell(
    `${String(held.length)} of ${String(looks.length)} accounts stay as they are remembered, because more than ${String(percent)} % of what they had would be gone at once, which is taken for a fault: ${first.domain} (${String(gone)} of ${String(before)}). If it is right, raise Max Gone at Once (%) until the next poll has run.`,
  );
  return new Set(held);
}

/** The share of accounts that no more than a few changes shrink at once, in percent. */
const SHRUNK_PERCENT = 10;

/** An outage of a part of the service empties many accounts, however little each of them had. */
function areMany(shrunk: readonly Look[], looks: readonly Look[]): boolean {
  const before = looks.filter(({ loss }) => loss.before > 0).length;
  return !isPlausible({ before, gone: shrunk.length }, SHRUNK_PERCENT);
}

/** An account that is gone takes with it what is remembered of it. */
function goneAccounts(domains: readonly string[], before: Things<unknown>): Loss {
  const watched = new Map(domains.map((domain) => [domain, domain]));
  return { before: before.size, gone: goneFrom(before, watched), what: 'accounts' };
}

/** The sections of the bulk lookup that events need; what is not asked for costs nothing. */
function sectionsOf(events: readonly AccountEvent[]): CompanySection[] {
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
  // How many partners come with an account is known only afterwards: one batch at a time, no more
  // than the last of them goes beyond the limit.
  const isUncertain = run.credits.limit !== undefined && sections.includes('partnerships');
  const outcomes = await lookUpAll(run, domains, sections, isUncertain ? 1 : undefined);
  const failures = [...outcomes.values()].flatMap((one) => (one.kind === 'failed' ? [one] : []));
  const [first] = failures;
  if (first === undefined) return outcomes;
  // The same accounts would be left out at every poll.
  const unpaid = failures.find(({ error }) => error.code === 'max_credits_reached');
  if (unpaid !== undefined) throw unpaid.error;
  if (failures.length === domains.length) throw first.error;
  run.tell(
    `${String(failures.length)} of ${String(domains.length)} accounts could not be read and are compared at a later poll: ${first.error.message}`,
  );
  return outcomes;
}

/** Changes as they may come, of a company that does not exist. */
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
