import { idOfCompany } from '../api/companies';
import { companiesOfTechnology, companiesOfVendor } from '../api/technologies';
import { isRow, type Row } from '../run/answers/rows';
import { ALL_ROWS, type Page, type RowRange } from '../run/listing/pages';
import type { Run } from '../run/run';
import type { Change, Earlier, Sight } from './change';
import { difference } from './difference';
import { hasFilters, matches, type Firmographics } from './firmographics';
import { assertPlausible, incomplete } from './plausible';
import { fieldOf, sameTable, type Table } from './table';

/** What can happen between a company and a technology. */
export type UserEvent = 'startedUsing' | 'seenAgain' | 'noLongerListed';

/** Whose users are watched. */
export type Used =
  | { readonly by: 'technology'; readonly techKey: string }
  | { readonly by: 'vendor'; readonly vendorDomain: string };

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

/** What is known of one user; `row` where it was read. */
export interface User {
  readonly domain: string;
  /** Unix seconds of the last evidence; 0 where none is known. */
  readonly lastSeen: number;
  /** Whether it matches the filters. */
  readonly isWanted: boolean;
  readonly row: Row | undefined;
}

type Users = ReadonlyMap<string, User>;

/** When new evidence means "seen again". */
interface Gap {
  readonly gapDays: number;
  /** When the users were read before, in milliseconds since 1970. */
  readonly readAt: number;
}

const DAY_IN_SECONDS = 24 * 60 * 60;

/** Rows of the first request for what is new; each further one asks for as many as all before. */
const FIRST_ROWS = 100;
/** Where they stop growing; a page can only begin at a multiple of its size. */
const MOST_ROWS = 6400;

/**
 * Reads who uses a technology as far as it takes to know what changed. A technology's users come most
 * recent evidence first (interface: Technologies, rule 3), so that it stops at the evidence it knows;
 * where the total then shows that others came or went, and for a vendor, whose order is not shown, it
 * reads the whole list. At most 1 credit per company returned (interface: Credits).
 *
 * @param earlier undefined at a first poll.
 * @throws {NotFoundError} `technology_not_found`, `vendor_not_found`.
 * @throws {InvalidResponseError} `implausible_change`; `list_incomplete` when not all rows came.
 */
export async function lookAtUsers(
  run: Run,
  watched: WatchedUsers,
  earlier: Earlier | undefined,
): Promise<Sight<UserEvent>> {
  const before = earlier?.table;
  const known: Users = before === undefined ? new Map() : usersIn(before);
  const news = before === undefined ? undefined : await readNews(run, watched, known);
  const users = news ?? (await readAll(run, watched));
  const now = tableOfUsers(users);
  const changes = changesOfUsers(known, users, {
    gapDays: watched.gapDays,
    readAt: earlier?.readAt ?? 0,
  });
  if (before === undefined) return { now, changes, memory: 'changed' };
  const gone = known.size - [...known.keys()].filter((id) => users.has(id)).length;
  assertPlausible({ before: known.size, gone, what: 'users' }, watched.maxGonePercent);
  const isMoved = gone > 0 || users.size !== known.size;
  return {
    now,
    changes,
    // Evidence gets newer all the time; that alone is worth no execution.
    memory: isMoved ? 'changed' : sameTable(before, now) ? 'same' : 'minor',
  };
}

/** What happened to the users of something from one state to the other. Pure. */
export function changesOfUsers(before: Users, now: Users, gap: Gap): Array<Change<UserEvent>> {
  const { appeared, vanished, stayed } = difference(before, now);
  return [
    ...appeared.map(([id, user]) => ({ user, change: change('startedUsing', id, user) })),
    ...stayed
      .filter(([, earlier, user]) => isAgain(earlier, user, gap))
      .map(([id, earlier, user]) => ({
        user,
        change: change('seenAgain', id, user, { previous_last_seen_at: timeOf(earlier.lastSeen) }),
      })),
    ...vanished.map(([id, user]) => ({ user, change: change('noLongerListed', id, user) })),
  ]
    .filter(({ user }) => user.isWanted)
    .map(({ change: one }) => one);
}

/** Of the time since the last read only the newest evidence is known: it may hold no gap at all. */
function isAgain(earlier: User, user: User, { gapDays, readAt }: Gap): boolean {
  const unseenUntil = Math.min(user.lastSeen, Math.floor(readAt / 1000));
  return earlier.lastSeen > 0 && unseenUntil - earlier.lastSeen >= gapDays * DAY_IN_SECONDS;
}

function change(
  event: UserEvent,
  id: string,
  { domain, lastSeen, row }: User,
  more: Row = {},
): Change<UserEvent> {
  const known = {
    ...(domain === '' ? {} : { primary_domain: domain }),
    ...(lastSeen === 0 ? {} : { last_seen_at: timeOf(lastSeen) }),
  };
  const [, slug] = /^slug:(.*)$/s.exec(id) ?? [];
  const company = row ?? { ...(slug === undefined ? {} : { slug }), ...known };
  return { event, id, facts: { ...known, ...more, company } };
}

/** What is new, on top of what is known; undefined where only the whole list can tell. */
async function readNews(run: Run, watched: WatchedUsers, known: Users): Promise<Users | undefined> {
  if (watched.used.by === 'vendor') return undefined;
  let newest = 0;
  // As arguments of one call, the users of what everyone uses would overflow the stack.
  for (const { lastSeen } of known.values()) newest = Math.max(newest, lastSeen);
  const users = new Map(known);
  let last = Infinity;
  for (let skip = 0, wanted = FIRST_ROWS; ; skip += wanted) {
    if (skip >= 2 * wanted && wanted < MOST_ROWS) wanted *= 2;
    let rows = 0;
    let total: number | undefined;
    for await (const page of pagesOf(run, watched, { skip, wanted })) {
      total = page.pagination.totalResults;
      rows += page.rows.length;
      for (const row of page.rows) {
        const [id, user] = userOf(row, watched);
        // Without an order nothing is known of what comes later.
        if (id === undefined || user.lastSeen === 0 || user.lastSeen > last) return undefined;
        last = user.lastSeen;
        users.set(id, user);
      }
    }
    if (last < newest || rows < wanted) return total === users.size ? users : undefined;
  }
}

async function readAll(run: Run, watched: WatchedUsers): Promise<Users> {
  const users = new Map<string, User>();
  let total: number | undefined;
  let unnamed = 0;
  for await (const page of pagesOf(run, watched, ALL_ROWS)) {
    total = page.pagination.totalResults ?? total;
    for (const row of page.rows) {
      const [id, user] = userOf(row, watched);
      if (id === undefined) unnamed += 1;
      else users.set(id, user);
    }
  }
  if (users.size + unnamed >= (total ?? 0) && unnamed === 0) return users;
  throw incomplete(
    'The list of users',
    `of ${String(total ?? users.size + unnamed)} companies ${String(users.size)} came`,
    { read: users.size, unnamed },
  );
}

function pagesOf(
  run: Run,
  { used, filters, withFirmographics }: WatchedUsers,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  const needed = withFirmographics || hasFilters(filters);
  const query = { include: needed ? 'firmographics' : undefined };
  return used.by === 'technology'
    ? companiesOfTechnology(run, used.techKey, query, range)
    : companiesOfVendor(run, used.vendorDomain, query, range);
}

function userOf(row: Row, { filters }: WatchedUsers): [string | undefined, User] {
  const id = idOfCompany(row);
  return [
    id === undefined ? undefined : fieldOf(id),
    {
      domain: fieldOf(row.primary_domain),
      lastSeen: secondsOf(row.last_seen_at),
      isWanted: matches(isRow(row.firmographics) ? row.firmographics : {}, filters),
      row,
    },
  ];
}

/** What is remembered of users: domain, last evidence, and a mark on those that match. */
export function tableOfUsers(users: Users): Table {
  return new Map(
    Array.from(users, ([id, { domain, lastSeen, isWanted }]) => [
      id,
      [domain, lastSeen.toString(36), isWanted ? '' : '-'],
    ]),
  );
}

/** The users that a table remembers. */
export function usersIn(table: Table): Users {
  return new Map(
    Array.from(table, ([id, [domain = '', seen = '', mark = '']]) => {
      const lastSeen = Number.parseInt(seen, 36) || 0;
      return [id, { domain, lastSeen, isWanted: mark === '', row: undefined }];
    }),
  );
}

function secondsOf(timestamp: unknown): number {
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(ms) ? 0 : Math.max(0, Math.floor(ms / 1000));
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Changes as they may come, of a company that does not exist. */
export function sampleUsers(now: number): Array<Change<UserEvent>> {
  const lastSeen = Math.floor(now / 1000) - 6 * 60 * 60;
  const row = {
    slug: 'example-inc',
    name: 'Example Inc.',
    primary_domain: 'example.com',
    detection_count: 3,
    first_seen_at: timeOf(lastSeen - 400 * DAY_IN_SECONDS),
    last_seen_at: timeOf(lastSeen),
  };
  const user = { domain: 'example.com', lastSeen, isWanted: true, row };
  const id = 'slug:example-inc';
  return [
    change('startedUsing', id, { ...user, row: { ...row, first_seen_at: row.last_seen_at } }),
    change('seenAgain', id, user, {
      previous_last_seen_at: timeOf(lastSeen - 200 * DAY_IN_SECONDS),
    }),
    change('noLongerListed', id, { ...user, row: undefined }),
  ];
}
