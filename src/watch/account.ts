import { LIST_SEPARATOR } from '../service/flat-company';
import { domainKey } from '../input/hosts';
import { isRow, type Row } from '../run/responses/rows';
import type { Change, RemovalCount } from './change';
import {
  diffEntities,
  toFieldText,
  countMissingIds,
  hasChanged,
  toSnapshot,
  reconcileIds,
} from './entities';
import type { WatchedEntity, WatchedEntities } from './entities';

/** An event of an account. */
export type AccountEvent =
  | 'technologyAdopted'
  | 'technologyDropped'
  | 'technologyMigrated'
  | 'partnershipGained'
  | 'partnershipLost'
  | 'partnershipTypeChanged';

/** A technology or a partnership. */
interface AccountEntry extends WatchedEntity {
  /**
   * The type of a partnership, or the name of a technology; empty if the service does not return it.
   */
  readonly type: string;
  /** The name of a partner. */
  readonly name?: string;
}

/** The known data of one account; a section that was never read is undefined. */
export interface Account {
  /** Technologies by their keys. */
  readonly technologies: WatchedEntities<AccountEntry> | undefined;
  /** Partnerships by their partners. */
  readonly partnerships: WatchedEntities<AccountEntry> | undefined;
}

type SectionName = keyof Account;

/** An account without any known data. */
export const UNKNOWN_ACCOUNT: Account = { technologies: undefined, partnerships: undefined };

const NONE: WatchedEntities<AccountEntry> = new Map();

/** An account with empty sections: compared with it, all entries are new. */
export const EMPTY_ACCOUNT: Account = { technologies: NONE, partnerships: NONE };

/** Groups of technologies that replace each other. */
export type RivalGroups = ReadonlyArray<readonly string[]>;

/**
 * Returns the changes of an account from one state to the next. Pure. A section that is unknown in one
 * of the states has no changes.
 *
 * @param rivals groups of technologies; one adopted and another dropped are one event, a migration.
 */
export function diffAccount(
  domain: string,
  before: Account,
  now: Account,
  rivals: RivalGroups,
): Array<Change<AccountEvent>> {
  const { technologies, partnerships } = now;
  return [
    ...(before.technologies && technologies
      ? diffTechnologies(domain, before.technologies, technologies, rivals)
      : []),
    ...(before.partnerships && partnerships
      ? diffPartnerships(domain, before.partnerships, partnerships)
      : []),
  ];
}

function diffTechnologies(
  domain: string,
  before: WatchedEntities<AccountEntry>,
  now: WatchedEntities<AccountEntry>,
  rivals: RivalGroups,
): Array<Change<AccountEvent>> {
  const { appeared, vanished } = diffEntities(before, now);
  const migrations = rivals
    .map((group) => ({
      group,
      from: vanished.filter(([key]) => group.includes(key)),
      to: appeared.filter(([key]) => group.includes(key)),
    }))
    .filter(({ from, to }) => from.length > 0 && to.length > 0);
  // For a dropped technology, only the key and the name are known.
  const technology = ([key, { type: name, row }]: (typeof appeared)[number]) =>
    row ?? { tech_key: key, ...(name === '' ? {} : { display_name: name }) };
  const joinKeys = (ones: typeof appeared) => ones.map(([key]) => key).join(LIST_SEPARATOR);
  const migrated = new Set(migrations.flatMap(({ from, to }) => [...from, ...to]));
  const toSingleChanges = (event: AccountEvent, ones: typeof appeared) =>
    ones
      .filter((one) => !migrated.has(one))
      .map((one) => ({
        event,
        id: `${domain} ${one[0]}`,
        facts: withRow({ domain, tech_key: one[0] }, technology(one)),
      }));
  return [
    ...toSingleChanges('technologyAdopted', appeared),
    ...toSingleChanges('technologyDropped', vanished),
    ...migrations.map(({ group, from, to }) => ({
      event: 'technologyMigrated' as const,
      id: `${domain} ${group.join(' ')}`,
      facts: {
        domain,
        from_tech_keys: joinKeys(from),
        to_tech_keys: joinKeys(to),
        from: from.map(technology),
        to: to.map(technology),
      },
    })),
  ];
}

function diffPartnerships(
  domain: string,
  before: WatchedEntities<AccountEntry>,
  now: WatchedEntities<AccountEntry>,
): Array<Change<AccountEvent>> {
  const { appeared, vanished, stayed } = diffEntities(before, now);
  const change = (
    event: AccountEvent,
    partner: string,
    { type, name, row }: AccountEntry,
    more: Row = {},
  ) => {
    const known = {
      partner,
      ...(type === '' ? {} : { partnership_type: type }),
      // For a lost partner, the name is in the previous state only.
      ...(row !== undefined || name === undefined ? {} : { partner_name: name }),
    };
    return {
      event,
      id: `${domain} ${partner}`,
      facts: withRow({ domain, ...known, ...more }, row),
    };
  };
  return [
    ...appeared.map(([partner, known]) => change('partnershipGained', partner, known)),
    ...vanished.map(([partner, known]) => change('partnershipLost', partner, known)),
    ...stayed
      .filter(([, { type }, known]) => hasChanged(type, known.type))
      .map(([partner, { type }, known]) =>
        change('partnershipTypeChanged', partner, known, { previous_partnership_type: type }),
      ),
  ];
}

/** Adds the row that was read to the reported fields; these come first and win. */
function withRow(reported: Row, row: Row | undefined): Row {
  return { ...reported, ...row, ...reported };
}

/**
 * Reads an account from a bulk result (API spec: Bulk company result). Entries keep the ids and types
 * under which they are already known.
 */
export function readAccount(
  row: Row,
  sections: readonly string[],
  known: Account = UNKNOWN_ACCOUNT,
): Account {
  if (row.status === 'not_tracked') return UNKNOWN_ACCOUNT;
  const section = (name: SectionName, read: typeof readTechnology) => {
    const rows = row[name];
    if (!sections.includes(name) || !Array.isArray(rows)) return undefined;
    if (describeIncompleteSection(row, [name]) !== undefined) return undefined;
    const earlier = known[name] ?? NONE;
    const now = reconcileIds(earlier, toSection(rows.filter(isRow).map(read)));
    for (const [id, one] of now) {
      // If the service no longer returns the type, the previous type is kept.
      if (one.type === '') now.set(id, { ...one, type: earlier.get(id)?.type ?? '' });
    }
    return now;
  };
  return {
    technologies: section('technologies', readTechnology),
    partnerships: section('partnerships', readPartner),
  };
}

/** The fields of a bulk result with the number of entries of each section. */
const COUNTS: Readonly<Record<string, string>> = {
  technologies: 'technology_count',
  partnerships: 'partnership_count',
};

/**
 * Describes the first incomplete section, judging by its count ("50 of 80 partnerships"); undefined
 * if none.
 */
export function describeIncompleteSection(
  row: Row,
  sections: readonly string[],
): string | undefined {
  for (const name of sections) {
    const [rows, count] = [row[name], row[COUNTS[name] ?? '']];
    if (Array.isArray(rows) && typeof count === 'number' && count > rows.length) {
      return `${String(rows.length)} of ${String(count)} ${name}`;
    }
  }
  return undefined;
}

/** Merges entries that share an id: they describe the same technology or partnership. */
function toSection(entries: readonly AccountEntry[]): WatchedEntities<AccountEntry> {
  const section = new Map<string, AccountEntry>();
  const named = new Map<string, string>();
  for (const { ids = [], type, name, row } of entries) {
    const [first] = ids;
    if (first === undefined) continue;
    const id = ids.map((one) => named.get(one)).find((one) => one !== undefined) ?? first;
    for (const one of ids) named.set(one, id);
    const earlier = section.get(id);
    const types = [earlier?.type ?? '', type].filter((one) => one !== '');
    section.set(id, {
      type: [...new Set(types)].sort().join('+'),
      ids: [...new Set([...(earlier?.ids ?? []), ...ids])],
      ...(name === undefined ? {} : { name }),
      row,
    });
  }
  return section;
}

function readTechnology(row: Row): AccountEntry {
  return { ids: toFilledTexts([row.tech_key]), type: toFieldText(row.display_name), row };
}

function readPartner(row: Row): AccountEntry {
  const names = toFilledTexts([
    domainKey(toFieldText(row.partner_domain)),
    row.partner_slug,
    row.partner_name,
  ]);
  const ids = names.map((name) => name.toLowerCase());
  const name = toFieldText(row.partner_name);
  const type = toFieldText(row.partnership_type);
  return { ids, type, ...(name === '' ? {} : { name }), row };
}

function toFilledTexts(values: readonly unknown[]): string[] {
  return values.map(toFieldText).filter((name) => name !== '');
}

/** Completes the sections that were read with the previously known ones. */
export function completeSections(read: Account, known: Account): Account {
  return {
    technologies: read.technologies ?? known.technologies,
    partnerships: read.partnerships ?? known.partnerships,
  };
}

/** Counts the known technologies and partnerships, and how many of them are gone. */
export function countRemovals(known: Account, now: Account): Omit<RemovalCount, 'what'> {
  const { technologies = NONE, partnerships = NONE } = known;
  return {
    before: technologies.size + partnerships.size,
    gone:
      countMissingIds(technologies, now.technologies ?? NONE) +
      countMissingIds(partnerships, now.partnerships ?? NONE),
  };
}

/** The saved state of an account. */
export type StoredAccount = Readonly<
  Partial<Record<SectionName, ReadonlyArray<[id: string, AccountEntry]> | undefined>>
>;

/** Returns the state of an account to save, as JSON. */
export function serializeAccount({ technologies, partnerships }: Account): StoredAccount {
  const section = (things: WatchedEntities<AccountEntry> | undefined) =>
    things &&
    Array.from(toSnapshot(things) as WatchedEntities<AccountEntry>).sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
  return { technologies: section(technologies), partnerships: section(partnerships) };
}

/** Restores an account from the state that {@link serializeAccount} returned. */
export function parseAccount({ technologies, partnerships }: StoredAccount): Account {
  return {
    technologies: technologies && new Map(technologies),
    partnerships: partnerships && new Map(partnerships),
  };
}
