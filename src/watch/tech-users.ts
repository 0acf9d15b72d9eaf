import { flatCompany } from '../service/flat-company';
import type { Row } from '../run/answers/rows';
import type { Run } from '../run/run';
import { assertPlausible, type Change, type Earlier, type Sight } from './change';
import { difference, goneFrom, kept } from './things';
import { DAY_IN_SECONDS, readUsers, type User, type Users, type WatchedUsers } from './users';

/** What can happen between a company and a technology. */
export type UserEvent = 'startedUsing' | 'seenAgain' | 'noLongerListed';

/** When new evidence means "seen again". */
interface Gap {
  readonly gapDays: number;
  /** When the users were read before, in milliseconds since 1970. */
  readonly readAt: number;
}

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
  const known = (earlier?.table ?? new Map()) as Users;
  const { users, ...odd } = await readUsers(
    run,
    watched,
    earlier === undefined ? undefined : known,
    earlier?.odd,
  );
  const gone = goneFrom(known, users);
  assertPlausible({ before: known.size, gone, what: 'users' }, watched.maxGonePercent);
  const { gapDays } = watched;
  const changes = changesOfUsers(known, users, { gapDays, readAt: earlier?.readAt ?? 0 });
  const begun = changes.some(({ event }) => event === 'startedUsing');
  return {
    now: kept(new Map(Array.from(users, ([id, user]) => [id, remembering(user, known.get(id))]))),
    changes,
    ...odd,
    // Evidence gets newer all the time, and so does the time up to which there was none; that alone is
    // worth no execution.
    isMinor: gone === 0 && users.size === known.size && !begun,
  };
}

/** What happened to the users of something from one state to the other. Pure. */
export function changesOfUsers(before: Users, now: Users, gap: Gap): Array<Change<UserEvent>> {
  const { appeared, vanished, stayed } = difference(before, now);
  const wanted = stayed.filter(([, , user]) => user.isWanted);
  return [
    ...appeared
      .filter(([, user]) => user.isWanted)
      .map(([id, user]) => change('startedUsing', id, user)),
    // It matches from now on only.
    ...wanted
      .filter(([, earlier]) => !earlier.isWanted)
      .map(([id, , user]) => change('startedUsing', id, user)),
    ...wanted
      .filter(([, earlier, user]) => earlier.isWanted && isAgain(earlier, user, gap))
      .map(([id, earlier, user]) =>
        change('seenAgain', id, user, { previous_last_seen_at: timeOf(earlier.lastSeen) }),
      ),
    ...vanished
      .filter(([, user]) => user.isWanted)
      .map(([id, user]) => change('noLongerListed', id, user)),
  ];
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
  { domain, name, lastSeen, row }: User,
  more: Row = {},
): Change<UserEvent> {
  const known = {
    ...(domain === '' ? {} : { domain }),
    ...(lastSeen === 0 ? {} : { last_seen_at: timeOf(lastSeen) }),
  };
  const [, slug] = /^slug:(.*)$/s.exec(id) ?? [];
  // Of a company that is gone, what is remembered.
  const company = row ?? {
    ...(slug === undefined ? {} : { slug }),
    ...(name === undefined ? {} : { name }),
  };
  return { event, id, facts: flatCompany({ ...company, ...known, ...more }) };
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
  const user = { domain: 'example.com', name: row.name, lastSeen, isWanted: true, row };
  const id = 'slug:example-inc';
  return [
    change('startedUsing', id, { ...user, row: { ...row, first_seen_at: row.last_seen_at } }),
    change('seenAgain', id, user, {
      previous_last_seen_at: timeOf(lastSeen - 200 * DAY_IN_SECONDS),
    }),
    change('noLongerListed', id, { ...user, row: undefined }),
  ];
}
