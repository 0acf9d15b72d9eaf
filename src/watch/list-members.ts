import { flatCompany } from '../api/flat-company';
import { idsOfMember, memberPages } from '../api/lists/members';
import { isRow, type Row } from '../run/answers/rows';
import { incompleteList } from '../run/listing/incomplete';
import { WHOLE_LIST } from '../run/listing/pages';
import type { Run } from '../run/run';
import type { Change, Sight } from './change';
import { difference, furtherIds, underKnownIds, type Named } from './difference';
import { assertPlausible } from './plausible';
import { fieldOf, sameTable, type Table } from './table';

/** What can happen to the members of a list. */
export type MemberEvent = 'added' | 'removed' | 'tierChanged';

/** Which members of which list are watched. */
export interface WatchedList {
  readonly listId: string;
  readonly tier: string | undefined;
  /** See {@link assertPlausible}. */
  readonly maxGonePercent: number;
}

/** What is known of one member; `row` while it is in the list. */
interface Member extends Named {
  readonly domain: string;
  readonly tier: string;
  readonly row: Row | undefined;
}

/**
 * Reads all members of a list and compares them with what was remembered. The service recomputes
 * the members, or else they would stay as they are. 1 request for each 1,000 members and one more;
 * at most 1 credit per member (interface: Credits).
 *
 * @param before undefined at a first poll.
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 * @throws {InvalidResponseError} `implausible_change`; `list_incomplete` when not all members came.
 */
export async function lookAtMembers(
  run: Run,
  watched: WatchedList,
  before: Table | undefined,
): Promise<Sight<MemberEvent>> {
  const known = membersIn(before ?? new Map());
  const members = underKnownIds(known, await readMembers(run, watched));
  const now = tableOfMembers(members, known);
  const changes = changesOfMembers(known, members);
  if (before === undefined) return { now, changes, memory: 'changed' };
  const gone = changes.filter(({ event }) => event === 'removed').length;
  const loss = { before: before.size, gone, what: 'members of the list' };
  assertPlausible(loss, watched.maxGonePercent);
  return { now, changes, memory: sameTable(before, now) ? 'same' : 'changed' };
}

/** What happened to a list from one state to the other. Pure. */
export function changesOfMembers(
  before: ReadonlyMap<string, Member>,
  now: ReadonlyMap<string, Member>,
): Array<Change<MemberEvent>> {
  const { appeared, vanished, stayed } = difference(before, now);
  return [
    ...appeared.map(([id, member]) => change('added', id, member)),
    ...vanished.map(([id, member]) => change('removed', id, member)),
    ...stayed
      // A tier that is not said is no other tier.
      .filter(([, { tier }, member]) => tier !== '' && member.tier !== '' && tier !== member.tier)
      .map(([id, earlier, member]) =>
        change('tierChanged', id, member, { previous_tier: earlier.tier }),
      ),
  ];
}

/** What is remembered of members: domain, tier, and further ids. */
function tableOfMembers(
  members: ReadonlyMap<string, Member>,
  known: ReadonlyMap<string, Member>,
): Table {
  return new Map(
    Array.from(members, ([id, { domain, tier, ids }]) => [
      id,
      [domain, tier === '' ? (known.get(id)?.tier ?? '') : tier, ...furtherIds(id, domain, ids)],
    ]),
  );
}

/** The members that a table remembers. */
export function membersIn(table: Table): Map<string, Member> {
  return new Map(
    Array.from(table, ([id, [domain = '', tier = '', ...further]]) => [
      id,
      { domain, tier, row: undefined, ids: further },
    ]),
  );
}

function change(
  event: MemberEvent,
  id: string,
  { domain, tier, row }: Member,
  more: Row = {},
): Change<MemberEvent> {
  const known = {
    ...(domain === '' ? {} : { domain }),
    ...(tier === '' ? {} : { tier }),
  };
  return { event, id, facts: flatCompany({ ...(row ?? idField(id)), ...known, ...more }) };
}

/** The field by which a member was told from others, as the service had it. */
function idField(id: string): Row {
  const [, name = '', value = ''] = /^(\w+):(.*)$/s.exec(id) ?? [];
  return name.endsWith('id') && /^\d{1,15}$/.test(value)
    ? { [name]: Number(value) }
    : { [name]: value };
}

async function readMembers(run: Run, { listId, tier }: WatchedList): Promise<Map<string, Member>> {
  const filters = { tier, force_refresh: true };
  const members = new Map<string, Member>();
  let total: number | undefined;
  let unnamed = 0;
  for await (const { rows, pagination } of memberPages(run, listId, filters, WHOLE_LIST)) {
    total = largest(total, pagination.totalResults);
    for (const row of rows) {
      const ids = idsOfMember(row);
      const [id] = ids;
      if (id === undefined) unnamed += 1;
      else members.set(fieldOf(id), { ...memberOf(row), ids });
    }
  }
  if (members.size < (total ?? 0) || unnamed > 0)
    throw incompleteList('members', members.size, total, unnamed);
  return members;
}

/** The largest total that was said: pages that come short may say a smaller one. */
export function largest(one: number | undefined, other: number | undefined): number | undefined {
  return Math.max(one ?? -1, other ?? -1) < 0 ? undefined : Math.max(one ?? 0, other ?? 0);
}

function memberOf(row: Row): Member {
  return { domain: fieldOf(domainOfMember(row)), tier: fieldOf(row.tier), row };
}

/** A member's domain, or that of the company in it; which field holds it is not shown. */
export function domainOfMember(row: Row): unknown {
  const inner = isRow(row.company) ? row.company : {};
  return [row.primary_domain, row.domain, inner.primary_domain, inner.domain].find(
    (value) => typeof value === 'string',
  );
}

/** Changes as they may come, of a company that does not exist. */
export function sampleMembers(): Array<Change<MemberEvent>> {
  const row = {
    company_id: 4711,
    slug: 'example-inc',
    name: 'Example Inc.',
    primary_domain: 'example.com',
    tier: 'high',
  };
  const id = 'company_id:4711';
  const member = { domain: row.primary_domain, tier: row.tier, row };
  return [
    change('added', id, member),
    change('removed', id, { ...member, row: undefined }),
    change('tierChanged', id, member, { previous_tier: 'medium' }),
  ];
}
