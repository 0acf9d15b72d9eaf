import { z } from 'zod/v4';

import type { Sight, Since } from './change';
import { fingerprint } from './fingerprint';
import { packTable, unpackTable, type Table } from './table';

/** What is remembered from poll to poll, as it is in n8n's database. */
export interface Remembered extends Since {
  /** Of this form. A memory of another version is not read. */
  readonly version: 1;
  /** Fingerprints of what is watched, with which key and filters, by what users call them. */
  readonly scope: Scope;
  /** Milliseconds since 1970. */
  readonly readAt: number;
  /** When what was read last was no state but a fault; milliseconds since 1970. */
  readonly refusedAt?: number | undefined;
  /** When it was last given to n8n to be saved. */
  readonly savedAt: number;
  /** How many things are in `table`. */
  readonly rows: number;
  /** Packed. */
  readonly table: string;
  /** Why the watch started over; told with the next changes. */
  readonly note?: string | undefined;
}

/** What makes a memory comparable, by what users call it: `list`, `key`, `filters`. */
export type Scope = Readonly<Record<string, string>>;

/** Fingerprints of the parts of a scope. */
export function scopeOf(parts: Readonly<Record<string, unknown>>): Scope {
  return Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [name, fingerprint(value ?? null)]),
  );
}

const VERSION = 1;

const remembered = z.object({
  version: z.literal(VERSION),
  scope: z.record(z.string(), z.string()),
  since: z.string(),
  revision: z.number(),
  readAt: z.number(),
  refusedAt: z.number().optional(),
  savedAt: z.number(),
  rows: z.number(),
  table: z.string(),
  note: z.string().optional(),
});

/** A memory that a poll can go on from, or why there is none. */
export type Recalled =
  | { readonly kind: 'known'; readonly state: Remembered }
  | { readonly kind: 'none' }
  | { readonly kind: 'over'; readonly why: string };

/**
 * A memory as it is stored: one text, because n8n wraps the objects of a workflow's static data, and
 * marks them.
 */
export function storable(state: Remembered): string {
  return JSON.stringify(state);
}

/** Reads what {@link storable} gave. */
export function recall(stored: unknown, scope: Scope): Recalled {
  if (stored === undefined || stored === null) return { kind: 'none' };
  const parsed = remembered.safeParse(jsonIn(stored));
  if (!parsed.success) return UNREADABLE;
  const { data: state } = parsed;
  const names = new Set([...Object.keys(scope), ...Object.keys(state.scope)]);
  const changed = [...names].filter((name) => scope[name] !== state.scope[name]);
  if (changed.length === 0) return { kind: 'known', state };
  return { kind: 'over', why: `the ${changed.join(' and the ')} changed` };
}

/** What of a scope says how a watch sees, and not what it watches. */
const MANNER = ['key', 'filters'];

/** Whether there is a memory of the same things, perhaps seen with another key or other filters. */
export function watchesSame(stored: unknown, scope: Scope): boolean {
  if (stored === undefined || stored === null) return false;
  const parsed = remembered.safeParse(jsonIn(stored));
  const whats = Object.keys(scope).filter((name) => !MANNER.includes(name));
  return !parsed.success || whats.every((name) => scope[name] === parsed.data.scope[name]);
}

function jsonIn(stored: unknown): unknown {
  try {
    return JSON.parse(String(stored));
  } catch {
    return undefined;
  }
}

/** For what is no memory of this version. */
export const UNREADABLE = {
  kind: 'over',
  why: 'what was remembered cannot be read, as after an update',
} as const;

/** The table of a memory; undefined where it was damaged. */
export async function tableOf({ rows, table }: Remembered): Promise<Table | undefined> {
  const unpacked = await unpackTable(table);
  return unpacked?.size === rows ? unpacked : undefined;
}

/** A memory that moved only a little is saved so often, in case the process dies. */
const SAVED_AT_LEAST_EVERY_MS = 24 * 60 * 60_000;

/**
 * When what a poll remembers gets into n8n's database. Pure.
 *
 * @param recalled what there was before it: n8n saves what the poll of an activation leaves, and only
 * a watch that is new has no memory then.
 * @returns `now`: the poll must have it saved; `anyway`: n8n does; `later`: with the next that is.
 */
export function savingOf(
  recalled: Recalled['kind'],
  memory: Sight['memory'],
  emitted: number,
  last: Remembered | undefined,
  now: number,
): 'now' | 'anyway' | 'later' {
  if (emitted > 0) return 'now';
  if (recalled === 'none') return 'anyway';
  const isLate = (last?.savedAt ?? 0) + SAVED_AT_LEAST_EVERY_MS < now;
  return memory === 'changed' || (memory === 'minor' && isLate) ? 'now' : 'later';
}

/** A new memory. */
export async function remember(
  now: Table,
  about: Omit<Remembered, 'version' | 'rows' | 'table'>,
): Promise<Remembered> {
  return { ...about, version: VERSION, rows: now.size, table: await packTable(now) };
}
