import { toFlatCompany } from '../service/flat-company';
import type { Row } from '../run/responses/rows';
import type { Run } from '../run/run';
import { assertPlausible, type Change, type PreviousSnapshot, type PollDiff } from './change';
import { diffEntities, countMissingIds, toSnapshot } from './entities';
import { DAY_IN_SECONDS, readUsers, type User, type Users, type WatchedUsers } from './users';

/** An event of a company and a technology. */
export type UserEvent = 'startedUsing' | 'seenAgain' | 'noLongerListed';

/** The condition under which new evidence means "seen again". */
interface Gap {
  readonly gapDays: number;
  /** The time of the previous poll in milliseconds since 1970. */
  readonly readAt: number;
}

/**
 * Reads as many users of a technology as needed to detect the changes. The service returns the users of
 * a technology by most recent evidence (API spec: Technologies, rule 3), so reading stops at known
 * evidence. If the total then shows that other users were added or removed, the whole list is read. The
 * list of a vendor is always read whole, because the API spec does not show its order. Costs up to 1
 * credit per company returned (API spec: Credits).
 *
 * @param earlier the previous state; undefined at the first poll.
 * @throws {NotFoundError} `technology_not_found` or `vendor_not_found`, when the key or domain is unknown.
 * @throws {InvalidResponseError} `implausible_change`, when too many users are gone; `list_incomplete`,
 * when rows are missing from the response.
 */
export async function fetchUsersDiff(
  run: Run,
  watched: WatchedUsers,
  earlier: PreviousSnapshot | undefined,
): Promise<PollDiff<UserEvent>> {
  const known = (earlier?.table ?? new Map()) as Users;
  const { users, ...odd } = await readUsers(
    run,
    watched,
    earlier === undefined ? undefined : known,
    earlier?.odd,
  );
  const gone = countMissingIds(known, users);
  assertPlausible({ before: known.size, gone, what: 'users' }, watched.maxGonePercent);
  const { gapDays } = watched;
  const changes = diffUsers(known, users, { gapDays, readAt: earlier?.readAt ?? 0 });
  const begun = changes.some(({ event }) => event === 'startedUsing');
  return {
    now: toSnapshot(
      new Map(Array.from(users, ([id, user]) => [id, keepReported(user, known.get(id))])),
    ),
    changes,
    ...odd,
    // Times of evidence, and the time up to which there was none, change all the time. That alone does
    // not justify an execution to save the state.
    isMinor: gone === 0 && users.size === known.size && !begun,
  };
}

/** Returns the changes of the users from one state to the next. Pure. */
export function diffUsers(before: Users, now: Users, gap: Gap): Array<Change<UserEvent>> {
  const { appeared, vanished, stayed } = diffEntities(before, now);
  const wanted = stayed.filter(([, , user]) => user.isWanted);
  return [
    ...appeared
      .filter(([, user]) => user.isWanted)
      .map(([id, user]) => toChange('startedUsing', id, user)),
    // Known companies that did not match the filters before.
    ...wanted
      .filter(([, earlier]) => !earlier.isWanted)
      .map(([id, , user]) => toChange('startedUsing', id, user)),
    ...wanted
      .filter(([, earlier, user]) => earlier.isWanted && isAgain(earlier, user, gap))
      .map(([id, earlier, user]) =>
        toChange('seenAgain', id, user, { previous_last_seen_at: formatTime(earlier.lastSeen) }),
      ),
    ...vanished
      .filter(([, user]) => user.isWanted)
      .map(([id, user]) => toChange('noLongerListed', id, user)),
  ];
}

/** Keeps a company as reported even if its firmographics change, so that it is not reported twice. */
function keepReported(user: User, earlier: User | undefined): User {
  const { isWanted, blankSince } = earlier ?? user;
  return {
    ...user,
    isWanted: user.isWanted || isWanted,
    blankSince: user.blankSince === undefined ? undefined : (blankSince ?? user.blankSince),
  };
}

/**
 * Returns whether there was a gap before the new evidence. For the time since the previous poll, only
 * the newest evidence is known, so that time counts as a period with evidence.
 */
function isAgain(earlier: User, user: User, { gapDays, readAt }: Gap): boolean {
  const unseenUntil = Math.min(user.lastSeen, Math.floor(readAt / 1000));
  return earlier.lastSeen > 0 && unseenUntil - earlier.lastSeen >= gapDays * DAY_IN_SECONDS;
}

function toChange(
  event: UserEvent,
  id: string,
  { domain, name, lastSeen, row }: User,
  more: Row = {},
): Change<UserEvent> {
  const known = {
    ...(domain === '' ? {} : { domain }),
    ...(lastSeen === 0 ? {} : { last_seen_at: formatTime(lastSeen) }),
  };
  const [, slug] = /^slug:(.*)$/s.exec(id) ?? [];
  // For a company that is gone, only the slug and the name of the previous state are known.
  const company = row ?? {
    ...(slug === undefined ? {} : { slug }),
    ...(name === undefined ? {} : { name }),
  };
  return { event, id, facts: toFlatCompany({ ...company, ...known, ...more }) };
}

function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Returns sample changes of a fictitious company. */
export function sampleUsers(now: number): Array<Change<UserEvent>> {
  const lastSeen = Math.floor(now / 1000) - 6 * 60 * 60;
  const row = {
    slug: 'example-inc',
    name: 'Example Inc.',
    primary_domain: 'example.com',
    detection_count: 3,
    first_seen_at: formatTime(lastSeen - 400 * DAY_IN_SECONDS),
    last_seen_at: formatTime(lastSeen),
  };
  const user = { domain: 'example.com', name: row.name, lastSeen, isWanted: true, row };
  const id = 'slug:example-inc';
  return [
    toChange('startedUsing', id, { ...user, row: { ...row, first_seen_at: row.last_seen_at } }),
    toChange('seenAgain', id, user, {
      previous_last_seen_at: formatTime(lastSeen - 200 * DAY_IN_SECONDS),
    }),
    toChange('noLongerListed', id, { ...user, row: undefined }),
  ];
}
