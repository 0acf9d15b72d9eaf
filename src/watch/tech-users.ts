import type { RowRange } from '../run/listing/listing';
import type { Page } from '../run/responses/page';
import type { Row } from '../values/json';
import type { Run } from '../run/run';
import { api } from '../service/endpoints';
import { readEndpointPages } from '../service/endpoint';
import { toFlatCompany } from '../service/flat-company';
import type { Change, PollDiff, PreviousSnapshot } from './change';
import {
  compareList,
  compareStates,
  toCompanies,
  toId,
  toSaved,
  type Entity,
  type CompanyList,
} from './entities';
import { readWholeList } from './whole-list';

export type UserEvent = 'startedUsing' | 'noLongerListed';

export type UsedProduct =
  | { readonly by: 'technology'; readonly techKey: string }
  | { readonly by: 'vendor'; readonly vendorDomain: string };

interface UsersQuery {
  readonly used: UsedProduct;
  readonly withFirmographics: boolean;
}

interface UserList extends CompanyList, Pick<PreviousSnapshot, 'newestEvidence'> {}

/**
 * Reads as many users of a technology as needed. The service returns them by most recent evidence (API spec:
 * Technologies, rule 3), so reading stops at known evidence. If the total then shows that other users were added
 * or removed, the whole list is read; that of a vendor always, because the API spec does not show its order.
 * Costs up to 1 credit per company returned (API spec: Credits).
 */
export async function fetchUsersDiff(
  run: Run,
  query: UsersQuery,
  earlier: PreviousSnapshot | undefined,
): Promise<PollDiff<UserEvent>> {
  const { newestEvidence, ...list } = await readUsers(run, query, earlier);
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

function toChange(event: UserEvent, { row, ...user }: Entity): Change<UserEvent> {
  return { event, id: toId(user), facts: toFlatCompany({ ...row, ...user }) };
}

export function sampleUsers(now: number): Array<Change<UserEvent>> {
  const seen = new Date(now - 6 * 60 * 60_000).toISOString();
  const user = { slug: 'example-inc', name: 'Example Inc.', domain: 'example.com' };
  const row = { detection_count: 3, first_seen_at: seen, last_seen_at: seen };
  return [toChange('startedUsing', { ...user, row }), toChange('noLongerListed', user)];
}

/** Each further request reads as many rows as all before it. */
const FIRST_ROWS = 100;
/** A page can only begin at a multiple of its size. */
const MAX_ROWS_PER_REQUEST = 6400;

/** With as few requests as possible. */
async function readUsers(
  run: Run,
  query: UsersQuery,
  earlier: PreviousSnapshot | undefined,
): Promise<UserList> {
  const known = earlier && (await readNewUsers(run, query, earlier));
  if (known !== undefined) return known;
  const list = await readWholeList(run, {
    what: 'users',
    pageSize: api.technologyUsers.page.max,
    readPages: (range) => readUserPages(run, query, range),
  });
  let newestEvidence = 0;
  for (const { row } of list.companies)
    newestEvidence = Math.max(newestEvidence, getEvidenceTime(row));
  return { ...list, newestEvidence };
}

/** Undefined if the whole list must be read. */
async function readNewUsers(
  run: Run,
  query: UsersQuery,
  { table, missing = 0, newestEvidence = 0 }: PreviousSnapshot,
): Promise<UserList | undefined> {
  if (query.used.by === 'vendor') return undefined;
  const known = table as readonly Entity[];
  const { available } = run.credits;
  // If the credits do not cover the whole list, a removed user must cost no more than one row.
  const first = available < known.length ? 1 : Math.min(FIRST_ROWS, available);
  const rows: Row[] = [];
  let last = Infinity;
  let total: number | undefined;
  let isEnd = false;
  for (let skip = 0, wanted = Math.max(1, first); ; skip += wanted) {
    if (skip >= 2 * wanted && wanted < MAX_ROWS_PER_REQUEST) wanted *= 2;
    for await (const page of readUserPages(run, query, { skip, wanted })) {
      total = page.pagination.totalResults;
      for (const row of page.rows) {
        const time = getEvidenceTime(row);
        // Without the order by evidence, new users can be anywhere in the list.
        if (time === 0 || time > last) return undefined;
        last = time;
        rows.push(row);
      }
    }
    if (total !== undefined && total < known.length + missing) return undefined;
    isEnd = rows.length < skip + wanted || rows.length >= (total ?? Infinity);
    if (isEnd || last < newestEvidence) break;
  }
  if (isEnd && rows.length + missing !== total) return undefined;
  const { appeared, removed: unread, current } = compareStates(known, toCompanies(rows));
  // The total tells whether other users were removed or added.
  if (total !== known.length + appeared.length + missing) return undefined;
  const newest = Math.max(newestEvidence, getEvidenceTime(rows[0]));
  return { companies: [...current, ...unread], missing, newestEvidence: newest };
}

function readUserPages(
  run: Run,
  { used, withFirmographics }: UsersQuery,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  const include = withFirmographics ? 'firmographics' : undefined;
  return used.by === 'technology'
    ? readEndpointPages(run, api.technologyUsers, { tech_key: used.techKey, include }, range)
    : readEndpointPages(run, api.vendorUsers, { domain: used.vendorDomain, include }, range);
}

/** In milliseconds since 1970; 0 if unknown. */
function getEvidenceTime(row: Row | undefined): number {
  const time = typeof row?.last_seen_at === 'string' ? Date.parse(row.last_seen_at) : NaN;
  return Number.isNaN(time) ? 0 : Math.max(0, time);
}
