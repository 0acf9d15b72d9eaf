import { isRow, type Row } from '../run/answers/rows';
import type { Change } from './change';
import { difference, furtherIds, underKnownIds, type Named } from './difference';
import { fieldOf } from './table';

/** What can happen to an account. */
export type AccountEvent =
  | 'technologyAdopted'
  | 'technologyDropped'
  | 'technologyMigrated'
  | 'partnershipGained'
  | 'partnershipLost'
  | 'partnershipTypeChanged';

/** A technology or a partnership, as it was read or as far as it is remembered. */
interface Known extends Named {
  /** The type of a partnership, where the service says it. */
  readonly type: string;
  /** Where it was read. */
  readonly row: Row | undefined;
}

/** Technologies by their keys, or partnerships by their partners. */
type Section = ReadonlyMap<string, Known>;

/** What is known of one account; a section that was never read is undefined. */
export interface Account {
  readonly technologies: Section | undefined;
  readonly partnerships: Section | undefined;
}

/** An account of which nothing is known. */
export const UNKNOWN: Account = { technologies: undefined, partnerships: undefined };

/** An account that has nothing: against it, all it has is new. */
export const BARE: Account = { technologies: new Map(), partnerships: new Map() };

/** Technologies that take each other's place. */
export type Rivals = ReadonlyArray<readonly string[]>;

/**
 * What happened to an account from one state to the other. Pure. Of a section that was not known
 * before, or is not now, nothing is said.
 *
 * @param rivals one of them in and another out is one event, a migration.
 */
export function changesOfAccount(
  domain: string,
  before: Account,
  now: Account,
  rivals: Rivals,
): Array<Change<AccountEvent>> {
  return [
    ...changesOfTechnologies(domain, before.technologies, now.technologies, rivals),
    ...changesOfPartnerships(domain, before.partnerships, now.partnerships),
  ];
}

function changesOfTechnologies(
  domain: string,
  before: Section | undefined,
  now: Section | undefined,
  rivals: Rivals,
): Array<Change<AccountEvent>> {
  if (before === undefined || now === undefined) return [];
  const { appeared, vanished } = difference(before, now);
  const migrations = rivals
    .map((group) => ({
      group,
      from: vanished.filter(([key]) => group.includes(key)),
      to: appeared.filter(([key]) => group.includes(key)),
    }))
    .filter(({ from, to }) => from.length > 0 && to.length > 0);
  const migrated = new Set(migrations.flatMap(({ from, to }) => [...from, ...to]));
  const plain = (one: (typeof appeared)[number]) => !migrated.has(one);
  const technology = ([key, { row }]: (typeof appeared)[number]) => row ?? { tech_key: key };
  return [
    ...appeared.filter(plain).map((one) => ({
      event: 'technologyAdopted' as const,
      id: `${domain} ${one[0]}`,
      facts: withRow({ domain, tech_key: one[0] }, one[1].row),
    })),
    ...vanished.filter(plain).map((one) => ({
      event: 'technologyDropped' as const,
      id: `${domain} ${one[0]}`,
      facts: withRow({ domain, tech_key: one[0] }, one[1].row),
    })),
    ...migrations.map(({ group, from, to }) => ({
      event: 'technologyMigrated' as const,
      id: `${domain} ${group.join(' ')}`,
      facts: { domain, from: from.map(technology), to: to.map(technology) },
    })),
  ];
}

function changesOfPartnerships(
  domain: string,
  before: Section | undefined,
  now: Section | undefined,
): Array<Change<AccountEvent>> {
  if (before === undefined || now === undefined) return [];
  const { appeared, vanished, stayed } = difference(before, now);
  const change = (
    event: AccountEvent,
    partner: string,
    { type, row }: Known,
    more: Row = {},
  ): Change<AccountEvent> => {
    const known = { partner, ...(type === '' ? {} : { partnership_type: type }) };
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
      // A type that was not said before is no news.
      .filter(([, { type }, known]) => type !== '' && known.type !== '' && type !== known.type)
      .map(([partner, { type }, known]) =>
        change('partnershipTypeChanged', partner, known, { previous_partnership_type: type }),
      ),
  ];
}

/** What is told, and beside it what was read. */
function withRow(told: Row, row: Row | undefined): Row {
  return { ...told, ...row, ...told };
}

/**
 * An account as a bulk result shows it (interface: Bulk company result), with the names that are known
 * of what it has.
 */
export function accountIn(
  row: Row,
  sections: readonly string[],
  known: Account = UNKNOWN,
): Account {
  if (row.status === 'not_tracked') return UNKNOWN;
  const section = (name: 'technologies' | 'partnerships', count: string, read: typeof techIn) => {
    const rows = row[name];
    if (!sections.includes(name) || !Array.isArray(rows)) return undefined;
    // A list that is shorter than its count did not come whole.
    if (typeof row[count] === 'number' && row[count] > rows.length) return undefined;
    const earlier = known[name] ?? new Map<string, Known>();
    const now = underKnownIds(earlier, sectionOf(rows.filter(isRow), read));
    // A type that is not said any more is still the one it was.
    return new Map(
      Array.from(now, ([id, one]) => [
        id,
        { ...one, type: one.type || (earlier.get(id)?.type ?? '') },
      ]),
    );
  };
  return {
    technologies: section('technologies', 'technology_count', techIn),
    partnerships: section('partnerships', 'partnership_count', partnerIn),
  };
}

function sectionOf(rows: readonly Row[], read: typeof techIn): Section {
  const section = new Map<string, Known>();
  const named = new Map<string, string>();
  for (const row of rows) {
    const { ids, type } = read(row);
    const [first] = ids;
    if (first === undefined) continue;
    const id = ids.map((one) => named.get(one)).find((one) => one !== undefined) ?? first;
    for (const one of ids) named.set(one, id);
    const earlier = section.get(id);
    const types = [earlier?.type ?? '', type].filter((one) => one !== '');
    section.set(id, {
      type: [...new Set(types)].sort().join('+'),
      ids: [...new Set([...(earlier?.ids ?? []), ...ids])],
      row,
    });
  }
  return section;
}

interface Told {
  /** What it is called, the surest first. */
  readonly ids: readonly string[];
  readonly type: string;
}

function techIn(row: Row): Told {
  return { ids: namesIn([row.tech_key]), type: '' };
}

function partnerIn(row: Row): Told {
  const names = namesIn([row.partner_domain, row.partner_slug, row.partner_name]);
  return { ids: names.map((name) => name.toLowerCase()), type: fieldOf(row.partnership_type) };
}

function namesIn(values: readonly unknown[]): string[] {
  return values.map(fieldOf).filter((name) => name !== '');
}

/** Stands for a section that was never read. */
const NEVER = '?';

/** What is remembered of an account. */
export function fieldsOf({ technologies, partnerships }: Account): string[] {
  return [technologies, partnerships].map((section) =>
    section === undefined
      ? NEVER
      : Array.from(section, ([id, { type, ids }]) =>
          [id, type, ...furtherIds(id, '', ids)].map(encodeURIComponent).join('='),
        )
          .sort()
          .join(' '),
  );
}

/** The account that {@link fieldsOf} remembers. */
export function accountOf(fields: readonly string[]): Account {
  const [technologies, partnerships] = [0, 1].map((index): Section | undefined => {
    const field = fields[index] ?? NEVER;
    if (field === NEVER) return undefined;
    const entries = field.split(' ').filter((entry) => entry !== '');
    return new Map(
      entries.map((entry) => {
        const [id = '', type = '', ...ids] = entry.split('=').map(decodeURIComponent);
        return [id, { type, ids, row: undefined }];
      }),
    );
  });
  return { technologies, partnerships };
}

/** How many technologies and partnerships are known of an account. */
export function sizeOfAccount({ technologies, partnerships }: Account): number {
  return (technologies?.size ?? 0) + (partnerships?.size ?? 0);
}
