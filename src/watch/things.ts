import type { Row } from '../run/answers/rows';
import { incompleteList } from '../run/listing/incomplete';
import type { Page } from '../run/answers/page';

/** Something that is watched, as it was read or as far as it is remembered. */
export interface Thing {
  readonly domain?: string;
  /** What it is called, the surest first. Of a thing that is remembered, only what {@link furtherIds} left. */
  readonly ids?: readonly string[];
  /** Where it was read. */
  readonly row: Row | undefined;
}

/** Things by the ids that they are kept under. */
export type Things<T> = ReadonlyMap<string, T>;

/** What differs between two states of the same things. */
export interface Difference<T> {
  readonly appeared: ReadonlyArray<readonly [id: string, now: T]>;
  readonly vanished: ReadonlyArray<readonly [id: string, before: T]>;
  /** Things that are in both. */
  readonly stayed: ReadonlyArray<readonly [id: string, before: T, now: T]>;
}

/** Compares two states. Pure; the order is that of `now`, and that of `before` for what vanished. */
export function difference<T>(before: Things<T>, now: Things<T>): Difference<T> {
  const appeared: Array<readonly [string, T]> = [];
  const stayed: Array<readonly [string, T, T]> = [];
  for (const [id, value] of now) {
    const earlier = before.get(id);
    if (earlier === undefined) appeared.push([id, value]);
    else stayed.push([id, earlier, value]);
  }
  return { appeared, vanished: Array.from(before).filter(([id]) => !now.has(id)), stayed };
}

/** How many things are gone. */
export function goneFrom(before: Things<unknown>, now: Things<unknown>): number {
  let gone = 0;
  for (const id of before.keys()) if (!now.has(id)) gone += 1;
  return gone;
}

/**
 * Reads all things of a list, each under the first of its ids.
 *
 * @param what they are: "members".
 * @throws {InvalidResponseError} `list_incomplete` when not all came, or not all have an id: what is
 * missing would be taken for gone.
 */
export async function readThings<T extends Thing>(
  pages: AsyncIterable<Page>,
  what: string,
  thingOf: (row: Row) => T,
): Promise<Things<T>> {
  const { rows, total } = await readRows(pages);
  const things = new Map<string, T>();
  let unnamed = 0;
  for (const row of rows) {
    const thing = thingOf(row);
    const [id] = thing.ids ?? [];
    if (id === undefined) unnamed += 1;
    else things.set(id, thing);
  }
  if (things.size >= (total ?? 0) && unnamed === 0) return things;
  throw incompleteList(what, things.size, total, unnamed);
}

/** All rows of a list, and how many there are: of pages that come short the last may say fewer. */
export async function readRows(
  pages: AsyncIterable<Page>,
): Promise<{ readonly rows: Row[]; readonly total: number | undefined }> {
  const rows: Row[] = [];
  let total: number | undefined;
  for await (const page of pages) {
    const { totalResults = total } = page.pagination;
    if (totalResults !== undefined) total = Math.max(total ?? 0, totalResults);
    for (const row of page.rows) rows.push(row);
  }
  return { rows, total };
}

/**
 * What was read, each thing under the id that it was remembered by, if it shares any id with it: ids
 * come later than the things themselves, and change. Each has all ids it ever had. Pure.
 */
export function underKnownIds<T extends Thing>(before: Things<T>, now: Things<T>): Map<string, T> {
  const known = new Map<string, string>();
  for (const [id, thing] of before) for (const one of idsOf(thing)) known.set(one, id);
  for (const id of before.keys()) known.set(id, id);
  const things = new Map<string, T>();
  const keep = (id: string, thing: T) => {
    const earlier = before.get(id);
    const ids = earlier === undefined ? [] : [...idsOf(earlier), ...idsOf(thing)];
    things.set(id, earlier === undefined ? thing : { ...thing, ids: [...new Set(ids)] });
  };
  for (const [id, thing] of now) if (before.has(id)) keep(id, thing);
  for (const [id, thing] of now) {
    if (before.has(id)) continue;
    const ids = idsOf(thing).map((one) => known.get(one));
    const found = ids.find((one) => one !== undefined && !things.has(one));
    keep(found ?? id, thing);
  }
  return things;
}

/** The ids that a table has to remember beside the id of the thing and its domain. */
export function furtherIds(id: string, { domain = '', ids = [] }: Omit<Thing, 'row'>): string[] {
  const others = new Set([id, ...domainIds(domain)]);
  return ids.filter((one) => !others.has(one));
}

function idsOf({ domain = '', ids = [] }: Thing): string[] {
  return [...ids, ...domainIds(domain)];
}

function domainIds(domain: string): string[] {
  return domain === '' ? [] : [`primary_domain:${domain}`, `domain:${domain}`];
}
