import { domainKey } from '../input/hosts';
import { withCompanyNames } from '../service/lists/member-company';
import { isJsonObject, type Row } from '../values/json';
import type { PreviousSnapshot } from './change';

/** Or a technology, with its key as `slug`. The state holds all fields but the row. */
export interface Entity {
  readonly slug?: string;
  readonly domain?: string;
  readonly name?: string;
  readonly tier?: string;
  /** Undefined for a saved company. */
  readonly row?: Row;
}

export interface Comparison {
  readonly appeared: readonly Entity[];
  readonly removed: readonly Entity[];
  readonly stayed: ReadonlyArray<{ readonly before: Entity; readonly after: Entity }>;
  /** With earlier values that the service no longer returns. */
  readonly current: readonly Entity[];
}

/** Two entities are the same if their slugs or their domains are equal. */
export function compareStates(before: readonly Entity[], after: readonly Entity[]): Comparison {
  const earlier = new Map<Entity, Entity>();
  const removed = new Set(before);
  for (const field of ['slug', 'domain'] as const) {
    const known = new Map(before.map((one) => [one[field], one]));
    known.delete(undefined);
    for (const one of after) {
      const same = known.get(one[field]);
      if (same !== undefined && !earlier.has(one) && removed.delete(same)) earlier.set(one, same);
    }
  }
  return {
    appeared: after.filter((one) => !earlier.has(one)),
    removed: [...removed],
    stayed: after.flatMap((one) => {
      const same = earlier.get(one);
      return same === undefined ? [] : [{ before: same, after: { ...same, ...one } }];
    }),
    current: after.map((one) => ({ ...earlier.get(one), ...one })),
  };
}

export interface CompanyList {
  readonly companies: readonly Entity[];
  /** Rows that the list is short of its total. */
  readonly missing: number;
  readonly note?: string | undefined;
}

/** If as many rows did not arrive as companies seem removed, these can be the missing rows, and are kept. */
export function compareList(
  { companies, missing, note }: CompanyList,
  earlier: PreviousSnapshot | undefined,
): Comparison & Pick<CompanyList, 'missing' | 'note'> {
  const known = earlier?.missing ?? 0;
  const comparison = compareStates((earlier?.table ?? []) as Entity[], companies);
  const { removed, current } = comparison;
  if (removed.length === 0 || removed.length > missing - known)
    return { ...comparison, missing, note };
  return { ...comparison, removed: [], current: [...current, ...removed], missing: known, note };
}

/** In an order that does not depend on the service. */
export function toSaved(entities: readonly Entity[]): Entity[] {
  return entities
    .map((one) => ({ ...one, row: undefined }))
    .sort((one, other) => (toId(one) < toId(other) ? -1 : 1));
}

export function toId({ slug, domain }: Entity): string {
  return slug ?? domain ?? '';
}

export function toCompanies(rows: readonly Row[]): Entity[] {
  return removeDuplicates(rows.map(toCompany));
}

/** Entities with a slug or a domain, each once. */
export function removeDuplicates(entities: readonly Entity[]): Entity[] {
  const seen = { slug: new Set<string>(), domain: new Set<string>() };
  return entities.filter(({ slug, domain }) => {
    const isKnown =
      (slug !== undefined && seen.slug.has(slug)) ||
      (domain !== undefined && seen.domain.has(domain));
    if (slug !== undefined) seen.slug.add(slug);
    if (domain !== undefined) seen.domain.add(domain);
    return !isKnown && (slug ?? domain) !== undefined;
  });
}

/** From the row, or from the company in it: the API spec does not show the fields of a member. */
function toCompany(given: Row): Entity {
  const row = withCompanyNames(given);
  const inner = isJsonObject(row.company) ? row.company : {};
  return {
    ...toEntity({
      slug: [row.slug, inner.slug],
      domain: [row.primary_domain, row.domain, inner.primary_domain, inner.domain],
      name: [row.name, row.company_name, inner.name],
      tier: [row.tier],
    }),
    row: given,
  };
}

/** The first filled text of each field; a field without one is left out. */
export function toEntity(fields: Readonly<Record<string, readonly unknown[]>>): Entity {
  const found = Object.entries(fields).flatMap(([name, values]) => {
    const text = values.find((value) => typeof value === 'string' && value !== '');
    if (text === undefined) return [];
    return [[name, name === 'domain' ? domainKey(text as string) : text]];
  });
  return Object.fromEntries(found) as Entity;
}
