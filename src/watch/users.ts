import { readEndpointPages } from '../service/read';
import { getCompanyIds } from '../service/companies';
import { api } from '../service/endpoints';
import {
  hasUnknownField,
  matchesFirmographics,
  toWantedFields,
  type Firmographics,
} from '../service/firmographics';
import { domainKey } from '../input/hosts';
import { isRow, type Row } from '../run/responses/rows';
import { WHOLE_LIST, type RowRange } from '../run/listing/listing';
import type { Page } from '../run/responses/page';
import type { Run } from '../run/run';
import {
  toComparableId,
  toFieldText,
  keepUnidentified,
  readEntities,
  reconcileIds,
  type WatchedEntity,
  type WatchedEntities,
} from './entities';

/** The technology or vendor whose users are watched. */
export type UsedProduct =
  | { readonly by: 'technology'; readonly techKey: string }
  | { readonly by: 'vendor'; readonly vendorDomain: string };

/** The watched users and their filters. */
export interface WatchedUsers {
  readonly used: UsedProduct;
  /** Only companies that match have events. */
  readonly filters: Firmographics;
  /** Whether rows should have firmographics even if no filter needs them. */
  readonly withFirmographics: boolean;
  /** Days without evidence after which a company is "seen again". */
  readonly gapDays: number;
  /** See {@link assertPlausible}. */
  readonly maxGonePercent: number;
}

/** The known data of one user. */
export interface User extends WatchedEntity {
  readonly domain: string;
  readonly name?: string;
  /** The time of the last evidence in Unix seconds; 0 if unknown. */
  readonly lastSeen: number;
  /** Whether the company matches the filters; for a saved user, whether it ever did. */
  readonly isWanted: boolean;
  /**
   * The time since which firmographics have been missing, in Unix seconds; undefined if they are
   * not.
   */
  readonly blankSince?: number | undefined;
}

/** Users by their ids. */
export type Users = WatchedEntities<User>;

/** One day in seconds, the unit of evidence times. */
export const DAY_IN_SECONDS = 24 * 60 * 60;

/** Rows of the first request for new users; each further request reads as many as all before it. */
const FIRST_ROWS = 100;
/**
 * How long missing firmographics are awaited, in seconds. They arrive about an hour after a company (API
 * spec: Companies, rule 4); the company is reported then.
 */
const MAX_FIRMOGRAPHICS_DELAY_SECONDS = DAY_IN_SECONDS;
/**
 * The number of rows at which requests stop growing; a page can only begin at a multiple of its
 * size.
 */
const MAX_ROWS_PER_REQUEST = 6400;

/**
 * Returns the current users, with as few requests as possible; see `fetchUsersDiff`.
 *
 * @param known the users of the previous state; undefined at the first poll.
 * @param odd the previous number of rows without an id; see `PollDiff`.
 * @throws {InvalidResponseError} `list_incomplete`, when rows are missing from the response.
 */
export async function readUsers(
  run: Run,
  watched: WatchedUsers,
  known: Users | undefined,
  odd?: number,
): Promise<{ readonly users: Users; readonly odd?: number; readonly note?: string | undefined }> {
  const news = known === undefined ? undefined : await readNewUsers(run, watched, known, odd);
  if (news !== undefined) return { users: news, ...(odd === undefined ? {} : { odd }) };
  const { entities, unseen, note } = await readEntities(
    readUserPages(run, watched, WHOLE_LIST),
    'users',
    (row) => readUser(row, watched.filters),
  );
  const users = reconcileIds(known ?? new Map<string, User>(), entities);
  return { users, odd: keepUnidentified(known ?? users, users, unseen, odd), note };
}

/** Reads new users and adds them to the known ones; undefined if the whole list must be read. */
async function readNewUsers(
  run: Run,
  watched: WatchedUsers,
  known: Users,
  odd = 0,
): Promise<Users | undefined> {
  if (watched.used.by === 'vendor') return undefined;
  // If the credits just cover the whole list, reading the new users first must not use them up.
  const { available } = run.credits;
  if (available >= known.size && available < known.size + 2 * FIRST_ROWS) return undefined;
  let newest = 0;
  // A loop instead of Math.max(...), whose arguments would overflow the stack for a popular technology.
  for (const { lastSeen } of known.values()) newest = Math.max(newest, lastSeen);
  const awaited = getAwaitedIds(known);
  const news = new Map<string, User>();
  let last = Infinity;
  for (let skip = 0, wanted = Math.min(FIRST_ROWS, Math.max(1, available)); ; skip += wanted) {
    if (skip >= 2 * wanted && wanted < MAX_ROWS_PER_REQUEST) wanted *= 2;
    let rows = 0;
    let total: number | undefined;
    for await (const page of readUserPages(run, watched, { skip, wanted })) {
      total = page.pagination.totalResults;
      rows += page.rows.length;
      for (const row of page.rows) {
        const user = readUser(row, watched.filters);
        const [id] = user.ids;
        // Without the order by evidence, new users can be anywhere in the list.
        if (id === undefined || user.lastSeen === 0 || user.lastSeen > last) return undefined;
        last = user.lastSeen;
        news.set(id, user);
        for (const one of user.ids) awaited.delete(one);
      }
    }
    if (rows < wanted || (last < newest && awaited.size === 0)) {
      const users = new Map([...known, ...reconcileIds(known, news)]);
      const isWhole = rows === wanted || skip + rows + odd === total;
      return total === users.size + odd && isWhole ? users : undefined;
    }
  }
}

/** Returns the ids of users whose firmographics have not arrived yet. */
function getAwaitedIds(known: Users): Set<string> {
  const since = Date.now() / 1000 - MAX_FIRMOGRAPHICS_DELAY_SECONDS;
  const awaited = Array.from(known).filter(
    ([, one]) => !one.isWanted && (one.blankSince ?? 0) > since,
  );
  return new Set(awaited.map(([id]) => id));
}

function readUserPages(
  run: Run,
  { used, filters, withFirmographics }: WatchedUsers,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  const needed = withFirmographics || toWantedFields(filters).length > 0;
  const include = needed ? 'firmographics' : undefined;
  return used.by === 'technology'
    ? readEndpointPages(run, api.technologyUsers, { tech_key: used.techKey, include }, range)
    : readEndpointPages(run, api.vendorUsers, { domain: used.vendorDomain, include }, range);
}

function readUser(row: Row, filters: Firmographics) {
  const firmographics = isRow(row.firmographics) ? row.firmographics : {};
  const name = toFieldText(row.name);
  return {
    ...(name === '' ? {} : { name }),
    domain: domainKey(toFieldText(row.primary_domain)),
    lastSeen: toSeconds(row.last_seen_at),
    isWanted: matchesFirmographics(firmographics, filters),
    ...(hasUnknownField(firmographics, filters)
      ? { blankSince: Math.floor(Date.now() / 1000) }
      : {}),
    ids: getCompanyIds(row).map((id) => toComparableId(toFieldText(id))),
    row,
  };
}

function toSeconds(timestamp: unknown): number {
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(ms) ? 0 : Math.max(0, Math.floor(ms / 1000));
}
