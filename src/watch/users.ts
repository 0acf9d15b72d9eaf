import { askPages } from '../service/ask';
import { idsOfCompany } from '../service/companies';
import { api } from '../service/endpoints';
import { domainKey } from '../input/hosts';
import { isRow, type Row } from '../run/answers/rows';
import { WHOLE_LIST, type RowRange } from '../run/listing/listing';
import type { Page } from '../run/answers/page';
import type { Run } from '../run/run';
import {
  comparable,
  fieldOf,
  keepHidden,
  readThings,
  underKnownIds,
  type Thing,
  type Things,
} from './things';

/** Whose users are watched. */
export type Used =
  | { readonly by: 'technology'; readonly techKey: string }
  | { readonly by: 'vendor'; readonly vendorDomain: string };

/** What a company must be like; an empty list lets all through. Compared whatever the case. */
export interface Firmographics {
  readonly industry: readonly string[];
  readonly country: readonly string[];
  readonly employee_range: readonly string[];
}

/** Which users of what are watched. */
export interface WatchedUsers {
  readonly used: Used;
  /** Events are about companies only that match. */
  readonly filters: Firmographics;
  /** Whether rows are wanted with firmographics, also where no filter needs them. */
  readonly withFirmographics: boolean;
  /** Days without evidence after which a company is "seen again". */
  readonly gapDays: number;
  /** See {@link assertPlausible}. */
  readonly maxGonePercent: number;
}

/** What is known of one user. */
export interface User extends Thing {
  readonly domain: string;
  readonly name?: string;
  /** Unix seconds of the last evidence; 0 where none is known. */
  readonly lastSeen: number;
  /** Whether it matches the filters; of one that is remembered, whether it ever did. */
  readonly isWanted: boolean;
  /** Since when its firmographics have been missing, in Unix seconds; undefined where they are not. */
  readonly blankSince?: number | undefined;
}

/** Users by their ids. */
export type Users = Things<User>;

/** In the unit of evidence. */
export const DAY_IN_SECONDS = 24 * 60 * 60;

/** Rows of the first request for what is new; each further one asks for as many as all before. */
const FIRST_ROWS = 100;
/** Firmographics come about an hour after a company (interface: Companies, rule 4); then it is told. */
const BLANK_AT_MOST = DAY_IN_SECONDS;
/** Where they stop growing; a page can only begin at a multiple of its size. */
const MOST_ROWS = 6400;

/**
 * Who uses it now, as little as it takes to know that; see `lookAtUsers`.
 *
 * @param known undefined at a first poll.
 * @param odd see `Sight`.
 * @throws {InvalidResponseError} `list_incomplete` when not all rows came.
 */
export async function readUsers(
  run: Run,
  watched: WatchedUsers,
  known: Users | undefined,
  odd?: number,
): Promise<{ readonly users: Users; readonly odd?: number; readonly note?: string | undefined }> {
  const news = known === undefined ? undefined : await readNews(run, watched, known, odd);
  if (news !== undefined) return { users: news, ...(odd === undefined ? {} : { odd }) };
  const { things, unseen, note } = await readThings(
    pagesOf(run, watched, WHOLE_LIST),
    'users',
    (row) => userOf(row, watched.filters),
  );
  const users = underKnownIds(known ?? new Map<string, User>(), things);
  return { users, odd: keepHidden(known ?? users, users, unseen, odd), note };
}

/** What is new, on top of what is known; undefined where only the whole list can tell. */
async function readNews(
  run: Run,
  watched: WatchedUsers,
  known: Users,
  odd = 0,
): Promise<Users | undefined> {
  if (watched.used.by === 'vendor') return undefined;
  // Where the credits cover the whole list, they must not run out because the news were read before.
  const { available } = run.credits;
  if (available >= known.size && available < known.size + 2 * FIRST_ROWS) return undefined;
  let newest = 0;
  // As arguments of one call, the users of what everyone uses would overflow the stack.
  for (const { lastSeen } of known.values()) newest = Math.max(newest, lastSeen);
  const awaited = awaitedOf(known);
  const news = new Map<string, User>();
  let last = Infinity;
  for (let skip = 0, wanted = Math.min(FIRST_ROWS, Math.max(1, available)); ; skip += wanted) {
    if (skip >= 2 * wanted && wanted < MOST_ROWS) wanted *= 2;
    let rows = 0;
    let total: number | undefined;
    for await (const page of pagesOf(run, watched, { skip, wanted })) {
      total = page.pagination.totalResults;
      rows += page.rows.length;
      for (const row of page.rows) {
        const user = userOf(row, watched.filters);
        const [id] = user.ids;
        // Without an order nothing is known of what comes later.
        if (id === undefined || user.lastSeen === 0 || user.lastSeen > last) return undefined;
        last = user.lastSeen;
        news.set(id, user);
        for (const one of user.ids) awaited.delete(one);
      }
    }
    if (rows < wanted || (last < newest && awaited.size === 0)) {
      const users = new Map([...known, ...underKnownIds(known, news)]);
      const isWhole = rows === wanted || skip + rows + odd === total;
      return total === users.size + odd && isWhole ? users : undefined;
    }
  }
}

/** Users of which the firmographics are still to come. */
function awaitedOf(known: Users): Set<string> {
  const since = Date.now() / 1000 - BLANK_AT_MOST;
  const awaited = Array.from(known).filter(
    ([, one]) => !one.isWanted && (one.blankSince ?? 0) > since,
  );
  return new Set(awaited.map(([id]) => id));
}

function pagesOf(
  run: Run,
  { used, filters, withFirmographics }: WatchedUsers,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  const needed = withFirmographics || wantedBy(filters).length > 0;
  const include = needed ? 'firmographics' : undefined;
  return used.by === 'technology'
    ? askPages(run, api.technologyUsers, { tech_key: used.techKey, include }, range)
    : askPages(run, api.vendorUsers, { domain: used.vendorDomain, include }, range);
}

function userOf(row: Row, filters: Firmographics) {
  const firmographics = isRow(row.firmographics) ? row.firmographics : {};
  const name = fieldOf(row.name);
  return {
    ...(name === '' ? {} : { name }),
    domain: domainKey(fieldOf(row.primary_domain)),
    lastSeen: secondsOf(row.last_seen_at),
    isWanted: matches(firmographics, filters),
    ...(isBlank(firmographics, filters) ? { blankSince: Math.floor(Date.now() / 1000) } : {}),
    ids: idsOfCompany(row).map((id) => comparable(fieldOf(id))),
    row,
  };
}

function secondsOf(timestamp: unknown): number {
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(ms) ? 0 : Math.max(0, Math.floor(ms / 1000));
}

/** Whether a company's firmographics match all filters. What is not known matches none. */
export function matches(company: Row, filters: Firmographics): boolean {
  return wantedBy(filters).every(([field, wanted]) => {
    const value = company[field];
    return typeof value === 'string' && wanted.includes(value.toLowerCase());
  });
}

/** Whether a filter is about something that is not known of a company. */
export function isBlank(company: Row, filters: Firmographics): boolean {
  return wantedBy(filters).some(
    ([field]) => typeof company[field] !== 'string' || company[field] === '',
  );
}

function wantedBy(filters: Firmographics): Array<[field: string, wanted: string[]]> {
  return Object.entries(filters)
    .filter(([, wanted]: [string, readonly string[]]) => wanted.length > 0)
    .map(([field, wanted]: [string, readonly string[]]) => [
      field,
      wanted.map((one) => one.toLowerCase()),
    ]);
}
