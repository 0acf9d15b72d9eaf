import type { Run } from '../run/run';
import { toFlatCompany } from '../service/flat-company';
import type { Change, PollDiff, PreviousSnapshot } from './change';
import { compareList, toId, toSaved, type Watched } from './watched-companies';
import { readUsers, type WatchedUsers } from './users';

export type UserEvent = 'startedUsing' | 'noLongerListed';

/**
 * Reads as many users of a technology as needed. The service returns them by most recent evidence (API spec:
 * Technologies, rule 3), so reading stops at known evidence. If the total then shows that other users were added
 * or removed, the whole list is read; that of a vendor always, because the API spec does not show its order.
 * Costs up to 1 credit per company returned (API spec: Credits).
 */
export async function fetchUsersDiff(
  run: Run,
  watched: WatchedUsers,
  earlier: PreviousSnapshot | undefined,
): Promise<PollDiff<UserEvent>> {
  const { newestEvidence, ...list } = await readUsers(run, watched, earlier);
  const { appeared, removed, current, missing, note } = compareList(list, earlier);
  const before = earlier?.table.length ?? 0;
  return {
    table: toSaved(current),
    changes: [
      ...appeared.map((user) => toChange('startedUsing', user)),
      ...removed.map((user) => toChange('noLongerListed', user)),
    ],
    losses: [{ what: 'users', before, ids: removed.map(toId) }],
    missing,
    newestEvidence,
    note,
  };
}

function toChange(event: UserEvent, { row, ...user }: Watched): Change<UserEvent> {
  return { event, id: toId(user), facts: toFlatCompany({ ...row, ...user }) };
}

export function sampleUsers(now: number): Array<Change<UserEvent>> {
  const seen = new Date(now - 6 * 60 * 60_000).toISOString();
  const user = { slug: 'example-inc', name: 'Example Inc.', domain: 'example.com' };
  const row = { detection_count: 3, first_seen_at: seen, last_seen_at: seen };
  return [toChange('startedUsing', { ...user, row }), toChange('noLongerListed', user)];
}
