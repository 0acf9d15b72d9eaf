import { idsOfCompany } from '../api/companies';
import { companiesOfTechnology, companiesOfVendor } from '../api/technologies';
import { isRow, type Row } from '../run/answers/rows';
import { ALL_ROWS, type Page, type RowRange } from '../run/listing/pages';
import type { Run } from '../run/run';
import type { Change, Earlier, Sight } from './change';
import { difference, furtherIds, underKnownIds, type Named } from './difference';
import { hasFilters, isBlank, matches, type Firmographics } from './firmographics';
import { assertPlausible, incomplete } from './plausible';
import { fieldOf, type Table } from './table';

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
export interface User extends Named {
  readonly domain: string;
  /** Unix seconds of the last evidence; 0 where none is known. */
  readonly lastSeen: number;
  /** Whether it matches the filters; of one that is remembered, whether it ever did. */
  readonly isWanted: boolean;
  /** Since when its firmographics have been missing, in Unix seconds; undefined where they are not. */
  readonly blankSince?: number | undefined;
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
/** Firmographics come about an hour after a company (interface: Companies, rule 4); then it is told. */
const BLANK_AT_MOST = DAY_IN_SECONDS;
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
  const users = underKnownIds(known, news ?? (await readAll(run, watched)));
  const now = tableOfUsers(
    new Map(Array.from(users, ([id, user]) => [id, remembering(user, known.get(id))])),
  );
  const changes = changesOfUsers(known, users, {
    gapDays: watched.gapDays,
    readAt: earlier?.readAt ?? 0,
  });
  if (before === undefined) return { now, changes, memory: 'changed' };
  const gone = known.size - [...known.keys()].filter((id) => users.has(id)).length;
  assertPlausible({ before: known.size, gone, what: 'users' }, watched.maxGonePercent);
  const begun = changes.some(({ event }) => event === 'startedUsing');
  const isMoved = gone > 0 || users.size !== known.size || begun;
  return {
    now,
    changes,
    // Evidence gets newer all the time, and so does the time up to which there was none; that alone is
    // worth no execution.
    memory: isMoved ? 'changed' : 'minor',
  };
}

/** What happened to the users of something from one state to the other. Pure. */
export function changesOfUsers(before: Users, now: Users, gap: Gap): Array<Change<UserEvent>> {
  const { appeared, vanished, stayed } = difference(before, now);
  return [
    ...appeared.map(([id, user]) => ({ user, change: change('startedUsing', id, user) })),
    // It matches from now on only.
    ...stayed
      .filter(([, earlier]) => !earlier.isWanted)
      .map(([id, , user]) => ({ user, change: change('startedUsing', id, user) })),
    ...stayed
      .filter(([, earlier, user]) => earlier.isWanted && isAgain(earlier, user, gap))
      .map(([id, earlier, user]) => ({
        user,
        change: change('seenAgain', id, user, { previous_last_seen_at: timeOf(earlier.lastSeen) }),
      })),
    ...vanished.map(([id, user]) => ({ user, change: change('noLongerListed', id, user) })),
  ]
    .filter(({ user }) => user.isWanted)
    .map(({ change: one }) => one);
}

/** What was told once is not told again, whatever becomes of its firmographics. */
function remembering(user: User, earlier: User | undefined): User {
  const { isWanted, blankSince } = earlier ?? user;
  return {
    ...user,
    isWanted: user.isWanted || isWanted,
    blankSince: user.blankSince === undefined ? undefined : (blankSince ?? user.blankSince),
  };
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
        const [id, user] = userOf(row, watched);
        // Without an order nothing is known of what comes later.
        if (id === undefined || user.lastSeen === 0 || user.lastSeen > last) return undefined;
        last = user.lastSeen;
        news.set(id, user);
        for (const one of user.ids ?? []) awaited.delete(one);
      }
    }
    if (rows < wanted || (last < newest && awaited.size === 0)) {
      const users = new Map([...known, ...underKnownIds(known, news)]);
      return total === users.size ? users : undefined;
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

async function readAll(run: Run, watched: WatchedUsers): Promise<Users> {
  const users = new Map<string, User>();
  let total: number | undefined;
  let unnamed = 0;
  for await (const page of pagesOf(run, watched, ALL_ROWS)) {
    total = Math.max(total ?? 0, page.pagination.totalResults ?? 0);
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
  const ids = idsOfCompany(row).map(fieldOf);
  const [id] = ids;
  const firmographics = isRow(row.firmographics) ? row.firmographics : {};
  return [
    id,
    {
      domain: fieldOf(row.primary_domain),
      lastSeen: secondsOf(row.last_seen_at),
      isWanted: matches(firmographics, filters),
      ...(isBlank(firmographics, filters) ? { blankSince: Math.floor(Date.now() / 1000) } : {}),
      ids,
      row,
    },
  ];
}

/**
 * What is remembered of users: domain, last evidence, a mark on those that do not match, with the time
 * since when they have been blank, and further ids.
 */
export function tableOfUsers(users: Users): Table {
  return new Map(
    Array.from(users, ([id, { domain, lastSeen, isWanted, blankSince, ids }]) => [
      id,
      [
        domain,
        lastSeen.toString(36),
        isWanted ? '' : `-${blankSince?.toString(36) ?? ''}`,
        ...furtherIds(id, domain, ids),
      ],
    ]),
  );
}

/** The users that a table remembers. */
export function usersIn(table: Table): Users {
  return new Map(
    Array.from(table, ([id, [domain = '', seen = '', mark = '', ...further]]) => {
      const lastSeen = Number.parseInt(seen, 36) || 0;
      const blankSince = Number.parseInt(mark.slice(1), 36) || undefined;
      const more = further.length === 0 ? {} : { ids: further };
      return [id, { domain, lastSeen, isWanted: mark === '', blankSince, ...more, row: undefined }];
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
