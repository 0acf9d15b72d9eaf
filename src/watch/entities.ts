import { domainKey } from '../input/hosts';
import type { Row } from '../run/responses/rows';
import { createIncompleteListError, isNearlyComplete } from '../run/listing/incomplete';
import type { Page } from '../run/responses/page';
import type { Snapshot } from './snapshot';

/** A watched entity (member, user, technology or partnership), as read or as saved. */
export interface WatchedEntity {
  readonly domain?: string;
  /** All its ids, the most reliable first; for a saved entity, only the ids that {@link toSnapshot} keeps. */
  readonly ids?: readonly string[] | undefined;
  /** The row of the response; undefined for a saved entity. */
  readonly row?: Row | undefined;
}

/** Entities by the ids under which they are saved. */
export type WatchedEntities<T> = ReadonlyMap<string, T>;

/** The differences between two states of the same entities. */
export interface EntityDiff<T> {
  readonly appeared: ReadonlyArray<readonly [id: string, now: T]>;
  readonly vanished: ReadonlyArray<readonly [id: string, before: T]>;
  /** Entities in both states. */
  readonly stayed: ReadonlyArray<readonly [id: string, before: T, now: T]>;
}

/** Compares two states. Pure. The order is that of `now`; for vanished entities, that of `before`. */
export function diffEntities<T>(
  before: WatchedEntities<T>,
  now: WatchedEntities<T>,
): EntityDiff<T> {
  const appeared: Array<readonly [string, T]> = [];
  const stayed: Array<readonly [string, T, T]> = [];
  for (const [id, value] of now) {
    const earlier = before.get(id);
    if (earlier === undefined) appeared.push([id, value]);
    else stayed.push([id, earlier, value]);
  }
  return { appeared, vanished: Array.from(before).filter(([id]) => !now.has(id)), stayed };
}

/** Counts the entities that are gone. */
export function countMissingIds(
  before: WatchedEntities<unknown>,
  now: WatchedEntities<unknown>,
): number {
  let gone = 0;
  for (const id of before.keys()) if (!now.has(id)) gone += 1;
  return gone;
}

/** The entities of a list, and its unusable rows. */
interface ReadEntities<T> {
  readonly entities: WatchedEntities<T>;
  /** The number of rows without an id and of missing rows. */
  readonly unseen: number;
  /** The description of unusable rows; undefined if there are none. */
  readonly note: string | undefined;
}

/**
 * Reads all entities of a list, each under the first of its ids. Unusable rows are skipped.
 *
 * @param what a plural noun for the entities: "members".
 * @throws {InvalidResponseError} `list_incomplete`, when rows are missing, because these entities would
 * count as gone.
 */
export async function readEntities<T extends WatchedEntity>(
  pages: AsyncIterable<Page>,
  what: string,
  toEntity: (row: Row) => T,
): Promise<ReadEntities<T>> {
  const { rows, missing, total } = await readAllRows(pages, what);
  const entities = new Map<string, T>();
  let unnamed = 0;
  for (const row of rows) {
    const entity = toEntity(row);
    const [id] = entity.ids ?? [];
    if (id === undefined) unnamed += 1;
    else entities.set(id, entity);
  }
  const twice = rows.length - unnamed - entities.size;
  const odd = [
    ...(unnamed > 0 ? [`${String(unnamed)} without an id`] : []),
    ...(twice > 0 ? [`${String(twice)} returned twice`] : []),
    ...(missing > 0 ? [formatMissing(missing, total)] : []),
  ];
  const note = odd.length === 0 ? undefined : `Not compared among the ${what}: ${odd.join(', ')}`;
  return { entities, unseen: unnamed + missing, note };
}

/**
 * Keeps the previous state of entities that seem gone, if they can be among the rows without an id or the
 * missing rows.
 *
 * @param now the entities that were read; the kept entities are added.
 * @param unseen the number of rows without an id and of missing rows in this poll.
 * @param before the number of such rows in the previous poll that hid nothing.
 * @returns the number of such rows that hide nothing.
 */
export function keepUnidentified<T>(
  known: WatchedEntities<T>,
  now: Map<string, T>,
  unseen: number,
  before = 0,
): number {
  const gone = Array.from(known).filter(([id]) => !now.has(id));
  if (gone.length === 0 || gone.length > unseen - before) return unseen;
  for (const [id, entity] of gone) now.set(id, entity);
  return before;
}

/** Returns whether a type or tier differs from the previous one; a missing one does not differ. */
export function hasChanged(before: string, now: string): boolean {
  return before !== '' && now !== '' && before.toLowerCase() !== now.toLowerCase();
}

/** Returns a value of a response as text; empty if it is neither text nor a number. */
export function toFieldText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Normalizes an id so that all spellings of a domain give the same id. */
export function toComparableId(id: string): string {
  const [, field, domain] = /^(primary_domain|domain):(.*)$/s.exec(id) ?? [];
  return field === undefined ? id : `${field}:${domainKey(domain ?? '')}`;
}

/**
 * The rows of a list, and the number of missing rows: others were returned twice, or the total is
 * wrong.
 */
interface ReadAllRows {
  readonly rows: Row[];
  readonly missing: number;
  readonly total: number | undefined;
}

/**
 * Reads all rows of a list. The highest total counts, because the last of several short pages can have a
 * lower one.
 *
 * @throws {InvalidResponseError} `list_incomplete`, when more than a few rows are missing.
 */
export async function readAllRows(pages: AsyncIterable<Page>, what: string): Promise<ReadAllRows> {
  const rows: Row[] = [];
  let total: number | undefined;
  for await (const page of pages) {
    const { totalResults = total } = page.pagination;
    if (totalResults !== undefined) total = Math.max(total ?? 0, totalResults);
    for (const row of page.rows) rows.push(row);
  }
  if (!isNearlyComplete(rows.length, total))
    throw createIncompleteListError(what, rows.length, total);
  return { rows, missing: Math.max(0, (total ?? 0) - rows.length), total };
}

/** Describes missing rows for a message. */
export function formatMissing(missing: number, total: number | undefined): string {
  return `${String(missing)} of ${String(total)} missing or returned twice`;
}

/**
 * Puts each entity under the id under which it was saved, if it shares any id with the saved entity. This
 * is necessary because ids are added later and change. Each entity keeps all ids it ever had. Pure.
 */
export function reconcileIds<T extends WatchedEntity>(
  before: WatchedEntities<T>,
  now: WatchedEntities<T>,
): Map<string, T> {
  const known = new Map<string, string>();
  for (const [id, entity] of before) for (const one of getAllIds(entity)) known.set(one, id);
  for (const id of before.keys()) known.set(id, id);
  const entities = new Map<string, T>();
  const keep = (id: string, entity: T) => {
    const earlier = before.get(id);
    const ids = earlier === undefined ? [] : [...getAllIds(earlier), ...getAllIds(entity)];
    entities.set(id, earlier === undefined ? entity : { ...entity, ids: [...new Set(ids)] });
  };
  for (const [id, entity] of now) if (before.has(id)) keep(id, entity);
  for (const [id, entity] of now) {
    if (before.has(id)) continue;
    const ids = getAllIds(entity).map((one) => known.get(one));
    const found = ids.find((one) => one !== undefined && !entities.has(one));
    keep(found ?? id, entity);
  }
  return entities;
}

/**
 * Returns the state of entities to save, as JSON in a stable order: all data except their rows, and only
 * ids that do not follow from the id of the entry or from the domain.
 */
export function toSnapshot<T extends WatchedEntity>(entities: WatchedEntities<T>): Snapshot {
  return new Map(
    Array.from(entities, ([id, entity]) => {
      const { domain = '', ids = [] } = entity;
      const others = new Set([id, ...toDomainIds(domain)]);
      const further = ids.filter((one) => !others.has(one));
      return [id, { ...entity, ids: further.length > 0 ? further : undefined, row: undefined }];
    }),
  );
}

function getAllIds({ domain = '', ids = [] }: WatchedEntity): string[] {
  return [...ids, ...toDomainIds(domain)];
}

function toDomainIds(domain: string): string[] {
  return domain === '' ? [] : [`primary_domain:${domain}`, `domain:${domain}`];
}
