import { isJsonObject, type Row } from '../values/json';
import type { Change } from './change';
import { removeDuplicates, toEntity, type Comparison, type Entity } from './entities';

export type AccountEvent =
  'partnershipGained' | 'partnershipLost' | 'technologyAdopted' | 'technologyDropped';

/** API spec: Bulk company result. */
export type SectionName = 'technologies' | 'partnerships';

/** A section that was never read is undefined. */
export interface SavedAccount extends Partial<Record<SectionName, readonly Entity[]>> {
  readonly domain: string;
}

interface Section {
  readonly count: string;
  readonly appeared: AccountEvent;
  readonly removed: AccountEvent;
  readonly read: (row: Row) => Entity;
  /** Fields of a change; they do not depend on the response. */
  readonly toFacts: (entry: Entity) => Row;
}

export const SECTIONS: Readonly<Record<SectionName, Section>> = {
  technologies: {
    count: 'technology_count',
    appeared: 'technologyAdopted',
    removed: 'technologyDropped',
    read: (row) => toEntity({ slug: [row.tech_key], name: [row.display_name] }),
    toFacts: ({ slug, name }) => ({ tech_key: slug, display_name: name }),
  },
  partnerships: {
    count: 'partnership_count',
    appeared: 'partnershipGained',
    removed: 'partnershipLost',
    read: (row) =>
      toEntity({
        slug: [row.partner_slug],
        domain: [row.partner_domain],
        name: [row.partner_name],
      }),
    toFacts: ({ slug, domain, name }) => ({
      partner: domain ?? slug,
      partner_name: name,
      partner_domain: domain,
      partner_slug: slug,
    }),
  },
};

/** @returns The entries, each once; undefined if the section is missing or shortened. */
export function readSection(row: Row, name: SectionName): Entity[] | undefined {
  const rows = row[name];
  if (row.status === 'not_tracked' || !Array.isArray(rows) || isShortened(row, name))
    return undefined;
  return removeDuplicates(
    rows.filter(isJsonObject).map((one) => ({ ...SECTIONS[name].read(one), row: one })),
  );
}

export function isShortened(row: Row, name: SectionName): boolean {
  const [rows, count] = [row[name], row[SECTIONS[name].count]];
  return Array.isArray(rows) && typeof count === 'number' && count > rows.length;
}

export function diffSection(
  account: Row & { readonly domain: string },
  name: SectionName,
  { appeared, removed }: Pick<Comparison, 'appeared' | 'removed'>,
): Array<Change<AccountEvent>> {
  const { toFacts, ...events } = SECTIONS[name];
  const toChange = (event: AccountEvent, { row, ...entry }: Entity): Change<AccountEvent> => {
    const facts = { ...account, ...toFacts(entry) };
    const id = `${account.domain} ${entry.domain ?? entry.slug ?? ''}`;
    return { event, id, facts: leaveOutNulls({ ...facts, ...row, ...facts }) };
  };
  return [
    ...appeared.map((entry) => toChange(events.appeared, entry)),
    ...removed.map((entry) => toChange(events.removed, entry)),
  ];
}

export function sampleAccountChanges(): Array<Change<AccountEvent>> {
  const account = { domain: 'example.com', company_name: 'Example Inc.' };
  const technology = (slug: string, name: string) => ({ slug, name, row: { vendor_name: name } });
  const partner = { slug: 'partner-example', domain: 'partner.example', name: 'Partner Example' };
  return [
    ...diffSection(account, 'technologies', {
      appeared: [technology('example-analytics', 'Example Analytics')],
      removed: [technology('other-analytics', 'Other Analytics')],
    }),
    ...diffSection(account, 'partnerships', { appeared: [partner], removed: [partner] }),
  ];
}

function leaveOutNulls(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
