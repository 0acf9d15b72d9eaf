import { parseCount, type Row } from '../values/json';
import type { Run } from '../run/run';
import { toFlatCompany } from '../service/flat-company';
import { api } from '../service/endpoints';
import { materialize, readMemberPages } from '../service/lists/members';
import type { Change, PollDiff, PreviousSnapshot } from './change';
import { compareList, toId, toSaved, type Entity, type CompanyList } from './entities';
import { readWholeList } from './whole-list';

export type MemberEvent = 'added' | 'removed' | 'tierChanged';

/** The first request makes the service recompute the members; otherwise they would not change. */
export async function readListMembers(
  run: Run,
  listId: string,
  tier?: string,
): Promise<CompanyList> {
  return await readWholeList(run, {
    what: 'members',
    pageSize: api.members.page.max,
    readPages: (range, isFirst) =>
      readMemberPages(run, listId, { tier, force_refresh: isFirst || undefined }, range),
    count: async () => parseCount((await materialize(run, listId))[`${tier ?? 'total'}_count`]),
  });
}

/** Costs up to 1 credit per member (API spec: Credits). `earlier` is undefined at the first poll. */
export async function fetchMembersDiff(
  run: Run,
  { listId, tier }: { readonly listId: string; readonly tier: string | undefined },
  earlier: PreviousSnapshot | undefined,
): Promise<PollDiff<MemberEvent>> {
  const list = await readListMembers(run, listId, tier);
  const { appeared, removed, stayed, current, ...rest } = compareList(list, earlier);
  const before = earlier?.table.length ?? 0;
  const moved = stayed.filter((one) => hasChanged(one.before.tier, one.after.tier));
  return {
    table: toSaved(current),
    changes: [
      ...appeared.map((member) => toChange('added', member)),
      ...removed.map((member) => toChange('removed', member)),
      ...moved.map((one) => toChange('tierChanged', one.after, { previous_tier: one.before.tier })),
    ],
    losses: [{ what: 'members of the list', before, ids: removed.map(toId) }],
    ...rest,
  };
}

/** A missing tier does not differ. */
function hasChanged(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && before.toLowerCase() !== after?.toLowerCase();
}

function toChange(
  event: MemberEvent,
  { row, ...member }: Entity,
  more: Row = {},
): Change<MemberEvent> {
  const facts = toFlatCompany({ ...row, ...member, ...more });
  return { event, id: toId(member), facts };
}

export function sampleMembers(): Array<Change<MemberEvent>> {
  const company = { slug: 'example-inc', name: 'Example Inc.', domain: 'example.com' };
  const member = { ...company, tier: 'high' };
  return [
    toChange('added', { ...member, row: { company_id: 4711 } }),
    toChange('removed', member),
    toChange('tierChanged', { ...member, row: { company_id: 4711 } }, { previous_tier: 'medium' }),
  ];
}
