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
import { countCoveredRows, countLarger, readWholeList } from './whole-list';
import { formatNumber } from '../values/text';

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

async function readUsers(
  run: Run,
  query: UsersQuery,
  earlier: PreviousSnapshot | undefined,
): Promise<UserList> {
  const { credits } = run;
  const whole = {
    what: 'users',
    pageSize: api.technologyUsers.page.max,
    readPages: (range: RowRange) => readUserPages(run, query, range),
  };
  if (earlier !== undefined && query.used.by === 'technology') {
    // A list that has outgrown the credits must cost no more than one row.
    const couldOutgrow = credits.limit !== undefined && earlier.table.length <= credits.limit;
    if (couldOutgrow) await countCoveredRows(credits, whole);
    const known = await countLarger(credits, async () => await readNewUsers(run, query, earlier));
    if (known !== undefined) return known;
  }
  const list = await readWholeList(run, whole);
  let newestEvidence = 0;
  for (const { row } of list.companies)
    newestEvidence = Math.max(newestEvidence, getEvidenceTime(row));
  return { ...list, newestEvidence };
}

/**
 * Undefined if the whole list must be read. If Max Credits does not cover it, new users that were read have been
 * paid for: these are returned, and removed users stay unknown.
 */
async function readNewUsers(
  run: Run,
  query: UsersQuery,
  { table, missing = 0, newestEvidence = 0 }: PreviousSnapshot,
): Promise<UserList | undefined> {
  const known = table as readonly Entity[];
  const { available, limit = Infinity } = run.credits;
  // If the credits do not cover the whole list, a removed user must cost no more than one row.
  const first = available < known.length ? 1 : Math.min(FIRST_ROWS, available);
  const rows: Row[] = [];
  let last = Infinity;
  let total: number | undefined;
  let isEnd = false;
  // Without the order by evidence, new users can be anywhere in the list.
  let isOrdered = true;
  for (let skip = 0, wanted = Math.max(1, first); ; skip += wanted) {
    if (skip >= 2 * wanted && wanted < MAX_ROWS_PER_REQUEST) wanted *= 2;
    for await (const page of readUserPages(run, query, { skip, wanted })) {
      total = page.pagination.totalResults;
      for (const row of page.rows) {
        const time = getEvidenceTime(row);
        isOrdered &&= time > 0 && time <= last;
        last = time;
        rows.push(row);
      }
    }
    isEnd = rows.length < skip + wanted || rows.length >= (total ?? Infinity);
    const hasRemoved = total !== undefined && total < known.length + missing;
    if (isEnd || hasRemoved || !isOrdered || last < newestEvidence) break;
  }
  const isRead = isOrdered && (!isEnd || rows.length + missing === total);
  const { appeared, removed: unread, current } = compareStates(known, toCompanies(rows));
  const companies = [...current, ...unread];
  // The total tells whether other users were removed or added.
  if (isRead && total === companies.length + missing) {
    const newest = Math.max(newestEvidence, getEvidenceTime(rows[0]));
    return { companies, missing, newestEvidence: newest };
  }
  if (appeared.length === 0 || total === undefined || total <= limit) return undefined;
  const note = `Max Credits (${String(limit)}) does not cover the ${formatNumber(total)} users, so that removed users, and new ones with old evidence, are not known`;
  return { companies, missing, newestEvidence, note };
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
