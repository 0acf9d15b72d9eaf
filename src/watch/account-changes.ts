import { LIMITS } from '../input/limits';
import { formatNumber, joinFirst } from '../values/text';
import { isJsonObject, type Row } from '../values/json';
import type { DomainOutcome } from '../run/responses/batch-response';
import type { Run } from '../run/run';
import { SkippedError } from '../run/run-guards';
import { includesPartners, lookUpAllCompanies } from '../service/companies';
import { countCompanyCredits } from '../service/endpoints';
import {
  diffSection,
  isShortened,
  readSection,
  type AccountEvent,
  type SavedAccount,
  type SectionName,
} from './account';
import { readAccounts, type Accounts } from './account-list';
import type { Change, PollDiff, PreviousSnapshot } from './change';
import { compareStates, compareList, toId, toSaved } from './entities';
import { createUncoveredError } from './whole-list';

const MAX_NAMED_ACCOUNTS = 5;

/**
 * An account that is new, or that the service has only now begun to track, is saved without a change. An account
 * that could not be read keeps its previous state.
 *
 * @param earlier Undefined at the first poll.
 * @throws {NotAttemptedError} if Max Credits does not cover the accounts, or their partners used it up.
 */
export async function fetchAccountsDiff(
  run: Run,
  { accounts, events }: { readonly accounts: Accounts; readonly events: readonly AccountEvent[] },
  earlier: PreviousSnapshot | undefined,
): Promise<PollDiff<AccountEvent>> {
  const listed = await readAccounts(run, accounts);
  const { current, removed, missing, note } = compareList(listed, earlier);
  const before = new Map(
    ((earlier?.table ?? []) as SavedAccount[]).map((account) => [account.domain, account]),
  );
  const domains = current.map(({ domain = '' }) => domain);
  const sections = listSections(events);
  const outcomes = await readOutcomes(run, domains, sections, accounts.from === 'list');
  const changes: Array<Change<AccountEvent>> = [];
  let entriesBefore = 0;
  const lost: string[] = [];
  const table = domains.map((domain): SavedAccount => {
    const known: SavedAccount = before.get(domain) ?? { domain };
    const row = getRow(outcomes.get(domain));
    const read = sections.flatMap((name) => {
      const found = readSection(row, name);
      if (found === undefined) return [];
      const saved = known[name] ?? (earlier === undefined ? [] : undefined);
      const comparison = compareStates(saved ?? found, found);
      changes.push(...diffSection({ domain, ...readName(row) }, name, comparison));
      entriesBefore += saved?.length ?? 0;
      lost.push(...comparison.removed.map((entry) => `${domain} ${name} ${toId(entry)}`));
      return [[name, toSaved(comparison.current)]];
    });
    return { ...known, ...(Object.fromEntries(read) as Partial<SavedAccount>) };
  });
  warnAbout(run, outcomes, sections);
  const losses = [
    // Entered domains are removed by the user.
    ...(accounts.from === 'list'
      ? [{ what: 'accounts', before: before.size, ids: removed.map(toId) }]
      : []),
    { what: 'technologies and partnerships of the accounts', before: entriesBefore, ids: lost },
  ];
  return { table, changes, losses, missing, note };
}

/** Other sections than those that the events need would cost credits. */
function listSections(events: readonly AccountEvent[]): SectionName[] {
  const has = (prefix: string) => events.some((event) => event.startsWith(prefix));
  return [
    ...(has('technology') ? (['technologies'] as const) : []),
    ...(has('partnership') ? (['partnerships'] as const) : []),
  ];
}

function getRow(outcome: DomainOutcome | undefined): Row {
  return outcome?.kind === 'row' ? outcome.row : {};
}

function readName({ company }: Row): Row {
  return isJsonObject(company) && typeof company.name === 'string'
    ? { company_name: company.name }
    : {};
}

async function readOutcomes(
  run: Run,
  domains: readonly string[],
  sections: readonly SectionName[],
  isListed: boolean,
): Promise<ReadonlyMap<string, DomainOutcome>> {
  const outcomes = await lookUpWithinCredits(run, domains, sections, isListed);
  const failures = [...outcomes.values()].flatMap((one) => (one.kind === 'failed' ? [one] : []));
  const [first] = failures;
  if (first === undefined) return outcomes;
  // Otherwise the same accounts would be skipped at every poll.
  const unaffordable = failures.find(({ error }) => error instanceof SkippedError);
  if (unaffordable !== undefined) throw unaffordable.error;
  if (failures.length === domains.length) throw first.error;
  run.warn(
    `${String(failures.length)} of ${String(domains.length)} accounts could not be read and are compared at a later poll: ${first.error.message}`,
  );
  return outcomes;
}

const FIRST_BATCH = 10;

/**
 * With a limit, a batch is small at first and never larger than all before it, because only responses show how many
 * partners the accounts have.
 */
async function lookUpWithinCredits(
  run: Run,
  domains: readonly string[],
  sections: readonly SectionName[],
  isListed: boolean,
): Promise<ReadonlyMap<string, DomainOutcome>> {
  const { credits } = run;
  const hasPartners = includesPartners(sections);
  // The members of a list were charged when it was read, so that they are free now (API spec: Credits, 2).
  const creditsOf = (row: Row) => Math.max(0, countCompanyCredits(row) - (isListed ? 1 : 0));
  if (isListed && !hasPartners) return await lookUpAllCompanies(run, domains, sections, undefined);
  const outcomes = new Map<string, DomainOutcome>();
  const before = credits.maxSpent;
  while (outcomes.size < domains.length) {
    const read = outcomes.size;
    const price = read === 0 ? 1 : (credits.maxSpent - before) / read;
    const unread = domains.length - read;
    const needed = Math.ceil(unread * price);
    if (needed > credits.available)
      throw createUncoveredError(
        `${formatNumber(unread)} accounts need ${formatNumber(needed)} credits or more, and ${formatNumber(credits.available)} are left`,
        credits.limit,
      );
    const isGrowing = hasPartners && credits.limit !== undefined;
    const size = isGrowing
      ? Math.min(Math.max(FIRST_BATCH, read), LIMITS.batchSize)
      : domains.length;
    const batch = domains.slice(read, read + size);
    for (const [domain, outcome] of await lookUpAllCompanies(run, batch, sections, creditsOf))
      outcomes.set(domain, outcome);
  }
  return outcomes;
}

function warnAbout(
  run: Run,
  outcomes: ReadonlyMap<string, DomainOutcome>,
  sections: readonly SectionName[],
): void {
  const find = (passes: (outcome: DomainOutcome) => boolean) =>
    Array.from(outcomes).flatMap(([domain, outcome]) => (passes(outcome) ? [domain] : []));
  const warn = (domains: readonly string[], what: string) => {
    if (domains.length > 0)
      run.warn(
        `${String(domains.length)} of ${String(outcomes.size)} accounts ${what}: ${joinFirst(domains, MAX_NAMED_ACCOUNTS)}`,
      );
  };
  warn(
    find((one) => one.kind !== 'failed' && (getRow(one).status ?? 'not_tracked') === 'not_tracked'),
    'are mistyped or not tracked by the service, which reports no changes of them',
  );
  warn(
    find((one) => sections.some((name) => isShortened(getRow(one), name))),
    'have a section that the service shortened and that was not compared',
  );
}
