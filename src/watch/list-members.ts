import { toFlatCompany } from '../service/flat-company';
import { getMemberIds, readMemberPages } from '../service/lists/members';
import { domainKey } from '../input/hosts';
import { isRow, type Row } from '../run/responses/rows';
import { WHOLE_LIST } from '../run/listing/listing';
import type { Run } from '../run/run';
import { assertPlausible, type Change, type PreviousSnapshot, type PollDiff } from './change';
import {
  toComparableId,
  diffEntities,
  toFieldText,
  countMissingIds,
  hasChanged,
  keepUnidentified,
  toSnapshot,
  readEntities,
  reconcileIds,
  type WatchedEntity,
  type WatchedEntities,
} from './entities';

/** An event of a member of a list. */
export type MemberEvent = 'added' | 'removed' | 'tierChanged';

/** The watched list and its filter. */
export interface WatchedList {
  readonly listId: string;
  readonly tier: string | undefined;
  /** See {@link assertPlausible}. */
  readonly maxGonePercent: number;
}

/** The known data of one member. */
interface Member extends WatchedEntity {
  readonly domain: string;
  readonly tier: string;
  readonly name: string;
}

/**
 * Reads all members of a list and compares them with the previous state. The request makes the service
 * recompute the members; otherwise they would not change. It takes 1 request per 1,000 members, plus 1,
 * and costs up to 1 credit per member (API spec: Credits).
 *
 * @param earlier the previous state; undefined at the first poll.
 * @throws {NotFoundError} when the list does not exist or the user may not see it.
 * @throws {InvalidResponseError} `implausible_change`, when too many members are gone;
 * `list_incomplete`, when members are missing from the response.
 */
export async function fetchMembersDiff(
  run: Run,
  { listId, tier, maxGonePercent }: WatchedList,
  earlier: PreviousSnapshot | undefined,
): Promise<PollDiff<MemberEvent>> {
  const known = (earlier?.table ?? new Map()) as WatchedEntities<Member>;
  const pages = readMemberPages(run, listId, { tier, force_refresh: true }, WHOLE_LIST);
  const { entities, unseen, note } = await readEntities(pages, 'members', readMember);
  const members = reconcileIds(known, entities);
  const odd = keepUnidentified(known, members, unseen, earlier?.odd);
  const gone = countMissingIds(known, members);
  assertPlausible({ before: known.size, gone, what: 'members of the list' }, maxGonePercent);
  return {
    now: toSnapshot(keepPreviousValues(members, known)),
    changes: diffMembers(known, members),
    odd,
    note,
  };
}

/** Returns the changes of a list from one state to the next. Pure. */
export function diffMembers(
  before: WatchedEntities<Member>,
  now: WatchedEntities<Member>,
): Array<Change<MemberEvent>> {
  const { appeared, vanished, stayed } = diffEntities(before, now);
  return [
    ...appeared.map(([id, member]) => toChange('added', id, member)),
    ...vanished.map(([id, member]) => toChange('removed', id, member)),
    ...stayed
      .filter(([, { tier }, member]) => hasChanged(tier, member.tier))
      .map(([id, earlier, member]) =>
        toChange('tierChanged', id, member, { previous_tier: earlier.tier }),
      ),
  ];
}

/** Keeps the previous tier and name of members for which the service no longer returns them. */
function keepPreviousValues(
  members: WatchedEntities<Member>,
  known: WatchedEntities<Member>,
): WatchedEntities<Member> {
  return new Map(
    Array.from(members, ([id, member]) => {
      const { tier = '', name = '' } = known.get(id) ?? {};
      return [id, { ...member, tier: member.tier || tier, name: member.name || name }];
    }),
  );
}

function toChange(
  event: MemberEvent,
  id: string,
  { domain, tier, name, row }: Member,
  more: Row = {},
): Change<MemberEvent> {
  const known = {
    ...(domain === '' ? {} : { domain }),
    ...(tier === '' ? {} : { tier }),
  };
  // For a removed member, only the id and the name of the previous state are known.
  const member = row ?? { ...idField(id), ...(name === '' ? {} : { name }) };
  return { event, id, facts: toFlatCompany({ ...member, ...known, ...more }) };
}

/** Returns the id field of a member, with the value as the service returned it. */
function idField(id: string): Row {
  const [, name = '', value = ''] = /^(\w+):(.*)$/s.exec(id) ?? [];
  return name.endsWith('id') && /^\d{1,15}$/.test(value)
    ? { [name]: Number(value) }
    : { [name]: value };
}

function readMember(row: Row): Member {
  const ids = getMemberIds(row).map((id) => toComparableId(toFieldText(id)));
  const domain = domainKey(toFieldText(getMemberDomain(row)));
  return { domain, tier: toFieldText(row.tier), name: getMemberName(row), ids, row };
}

/**
 * Returns the name of a member or of the company in it. The API spec does not show which field has
 * it.
 */
function getMemberName(row: Row): string {
  const inner = isRow(row.company) ? row.company : {};
  return (
    [row.name, row.company_name, inner.name].map(toFieldText).find((name) => name !== '') ?? ''
  );
}

/**
 * Returns the domain of a member or of the company in it. The API spec does not show which field has
 * it.
 */
export function getMemberDomain(row: Row): unknown {
  const inner = isRow(row.company) ? row.company : {};
  return [row.primary_domain, row.domain, inner.primary_domain, inner.domain].find(
    (value) => typeof value === 'string',
  );
}

/** Returns sample changes of a fictitious company. */
export function sampleMembers(): Array<Change<MemberEvent>> {
  const row = {
    company_id: 4711,
    slug: 'example-inc',
    name: 'Example Inc.',
    primary_domain: 'example.com',
    tier: 'high',
  };
  const id = 'company_id:4711';
  const member = { domain: row.primary_domain, tier: row.tier, name: row.name, row };
  return [
    toChange('added', id, member),
    toChange('removed', id, { ...member, row: undefined }),
    toChange('tierChanged', id, member, { previous_tier: 'medium' }),
  ];
}
