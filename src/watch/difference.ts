import { fieldOf } from './table';

/** What differs between two states of the same things. */
export interface Difference<T> {
  readonly appeared: ReadonlyArray<readonly [id: string, now: T]>;
  readonly vanished: ReadonlyArray<readonly [id: string, before: T]>;
  /** Things that are in both. */
  readonly stayed: ReadonlyArray<readonly [id: string, before: T, now: T]>;
}

/** Compares two states. Pure; the order is that of `now`, and that of `before` for what vanished. */
export function difference<T>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
): Difference<T> {
  const appeared: Array<readonly [string, T]> = [];
  const stayed: Array<readonly [string, T, T]> = [];
  for (const [id, value] of now) {
    const earlier = before.get(id);
    if (earlier === undefined) appeared.push([id, value]);
    else stayed.push([id, earlier, value]);
  }
  const vanished = Array.from(before).filter(([id]) => !now.has(id));
  return { appeared, vanished, stayed };
}

/** Something that has a domain, and perhaps further ids, beside the id it is kept under. */
export interface Named {
  readonly domain?: string;
  readonly ids?: readonly string[];
}

/**
 * What was read, each thing under the id that it was remembered by, if it shares any id with it: ids
 * come later than the things themselves, and change. Each has all ids it ever had. Pure.
 */
export function underKnownIds<T extends Named>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
): Map<string, T> {
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
export function furtherIds(id: string, domain: string, ids: readonly string[] = []): string[] {
  const others = new Set([id, ...domainIds(domain)]);
  return ids.filter((one) => !others.has(fieldOf(one))).map(fieldOf);
}

function idsOf({ domain = '', ids = [] }: Named): string[] {
  return [...ids, ...domainIds(domain)];
}

function domainIds(domain: string): string[] {
  return domain === '' ? [] : [`primary_domain:${domain}`, `domain:${domain}`];
}
