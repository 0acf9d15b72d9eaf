import { domainKey } from '../input/hosts';
import type { Row } from '../run/answers/rows';
import { incompleteList, isNearlyAll } from '../run/listing/incomplete';
import type { Page } from '../run/answers/page';
import type { Table } from './table';

/** Something that is watched, as it was read or as far as it is remembered. */
export interface Thing {
  readonly domain?: string;
  /** What it is called, the surest first. Of a thing that is remembered, only what {@link kept} left. */
  readonly ids?: readonly string[] | undefined;
  /** Where it was read; undefined for what is remembered. */
  readonly row?: Row | undefined;
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

/** The things of a list, and what of it is odd. */
interface ReadThings<T> {
  readonly things: Things<T>;
  /** Rows that nothing tells from others, and those that did not come. */
  readonly unseen: number;
  /** What is odd, in words. */
  readonly note: string | undefined;
}

/**
 * Reads all things of a list, each under the first of its ids. Odd rows are left out.
 *
 * @param what they are: "members".
 * @throws {InvalidResponseError} `list_incomplete` when not all came: what is missing would be taken
 * for gone.
 */
export async function readThings<T extends Thing>(
  pages: AsyncIterable<Page>,
  what: string,
  thingOf: (row: Row) => T,
): Promise<ReadThings<T>> {
  const { rows, missing, total } = await readRows(pages, what);
  const things = new Map<string, T>();
  let unnamed = 0;
  for (const row of rows) {
    const thing = thingOf(row);
    const [id] = thing.ids ?? [];
    if (id === undefined) unnamed += 1;
    else things.set(id, thing);
  }
  const twice = rows.length - unnamed - things.size;
  const odd = [
    ...(unnamed > 0 ? [`${String(unnamed)} rows have nothing that tells them from others`] : []),
    ...(twice > 0 ? [`${String(twice)} rows came twice`] : []),
    ...(missing > 0 ? [missingText(missing, total)] : []),
  ];
  const note = odd.length === 0 ? undefined : `Of the ${what} ${odd.join(', ')}: left out`;
  return { things, unseen: unnamed + missing, note };
}

/**
 * Keeps what is gone as it was remembered, if it may be among the rows that nothing tells from others,
 * or that did not come.
 *
 * @param now what was read; what is kept is added.
 * @param unseen such rows now, and before.
 * @returns how many of them hide nothing.
 */
export function keepHidden<T>(
  known: Things<T>,
  now: Map<string, T>,
  unseen: number,
  before = 0,
): number {
  const gone = Array.from(known).filter(([id]) => !now.has(id));
  if (gone.length === 0 || gone.length > unseen - before) return unseen;
  for (const [id, thing] of gone) now.set(id, thing);
  return before;
}

/** Whether something is of another kind than before; a kind that is not said is no other one. */
export function isOther(before: string, now: string): boolean {
  return before !== '' && now !== '' && before.toLowerCase() !== now.toLowerCase();
}

/** A value of an answer as text; empty for what is none. */
export function fieldOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** An id in the form in which those of a domain are the same, however it is written. */
export function comparable(id: string): string {
  const [, field, domain] = /^(primary_domain|domain):(.*)$/s.exec(id) ?? [];
  return field === undefined ? id : `${field}:${domainKey(domain ?? '')}`;
}

/** The rows of a list, and how many of them did not come, because they came twice or are not there. */
interface ReadRows {
  readonly rows: Row[];
  readonly missing: number;
  readonly total: number | undefined;
}

/**
 * Reads all rows of a list. Of pages that come short the last may say a lower total.
 *
 * @throws {InvalidResponseError} `list_incomplete` when not nearly all came.
 */
export async function readRows(pages: AsyncIterable<Page>, what: string): Promise<ReadRows> {
  const rows: Row[] = [];
  let total: number | undefined;
  for await (const page of pages) {
    const { totalResults = total } = page.pagination;
    if (totalResults !== undefined) total = Math.max(total ?? 0, totalResults);
    for (const row of page.rows) rows.push(row);
  }
  if (!isNearlyAll(rows.length, total)) throw incompleteList(what, rows.length, total);
  return { rows, missing: Math.max(0, (total ?? 0) - rows.length), total };
}

/** What is said of rows that did not come. */
export function missingText(missing: number, total: number | undefined): string {
  return `${String(missing)} of ${String(total)} did not come, or came twice`;
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

/**
 * What is remembered of things: all that is known of them but their rows, and of their ids those that
 * neither the id they are kept under nor their domain tells. As JSON, in an order that is always the same.
 */
export function kept<T extends Thing>(things: Things<T>): Table {
  return new Map(
    Array.from(things, ([id, thing]) => {
      const { domain = '', ids = [] } = thing;
      const others = new Set([id, ...domainIds(domain)]);
      const further = ids.filter((one) => !others.has(one));
      return [id, { ...thing, ids: further.length > 0 ? further : undefined, row: undefined }];
    }),
  );
}

function idsOf({ domain = '', ids = [] }: Thing): string[] {
  return [...ids, ...domainIds(domain)];
}

function domainIds(domain: string): string[] {
  return domain === '' ? [] : [`primary_domain:${domain}`, `domain:${domain}`];
}
