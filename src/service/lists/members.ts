import { InvalidResponseError } from '../../client/errors';
import { domainKey } from '../../input/hosts';
import { isJsonObject, type Row } from '../../values/json';
import { createIdReader, readRow } from '../../run/responses/rows';
import { readUndocumentedPage, type Page } from '../../run/responses/page';
import { findRows, type RowSearch } from '../../run/responses/find-rows';
import type { RowRange } from '../../run/listing/listing';
import type { Run } from '../../run/run';
import { buildRequest, type EndpointArguments } from '../endpoint';
import { api } from '../endpoints';
import { deleteResource, postOnce } from './effects';
import { LIST_CHANGED, errorTextsForList } from './error-texts';

type MemberQuery = Partial<Omit<EndpointArguments<typeof api.members>, 'list_id'>>;

/** The API spec does not show the largest `limit`, which is at least 100 for all other lists. */
export const MEMBERS_PAGE_SIZE = 100;

export const MEMBER_LIST_NAMES = ['members', 'companies'];

/** The most reliable first; the API spec does not show them. */
const ID_FIELDS = ['company_id', 'member_id', 'id', 'slug', 'primary_domain', 'domain'];

/** Each member once. The API spec shows neither envelope nor cost (Lists, rule 6); a member counts as 1 credit. */
export function readMemberPages(
  run: Run,
  listId: string,
  { force_refresh, tier, search_name_or_domain }: MemberQuery,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  const query = { tier, search_name_or_domain };
  return run.readPages({
    ...range,
    ...buildRequest(api.members, { list_id: listId, ...query, force_refresh: undefined }),
    errorTexts: { ...errorTextsForList(listId), ...LIST_CHANGED },
    // If members were recomputed for every page, they would move between pages.
    atFirst: { force_refresh },
    isFirstSlow: force_refresh === true,
    read: (json) => readUndocumentedPage(json, MEMBERS_SEARCH, getTotalFields(query)),
    paging: { by: 'offset', size: MEMBERS_PAGE_SIZE },
    idOf: getMemberId,
  });
}

const MEMBERS_SEARCH: RowSearch = {
  names: MEMBER_LIST_NAMES,
  groups: api.members.query.tier.oneOf,
  groupField: 'tier',
  hasId: (row) => getMemberId(row) !== undefined,
};

/** Names of the materialization counts (API spec: List) that count all rows of a query. */
function getTotalFields({ tier, search_name_or_domain }: MemberQuery): string[] {
  if (search_name_or_domain !== undefined) return [];
  return [tier === undefined ? 'total_count' : `${tier}_count`];
}

/** Or else of the company in it. */
export function getMemberId(member: Row): string | undefined {
  return ownId(member) ?? (isJsonObject(member.company) ? ownId(member.company) : undefined);
}

const ownId = createIdReader(ID_FIELDS);

/** Computing twice does no harm, so it is retried like a read. */
export async function materialize(run: Run, listId: string): Promise<Row> {
  return await run.request({
    ...buildRequest(api.materialize, { list_id: listId }),
    repeatable: true,
    isSlow: true,
    errorTexts: { ...errorTextsForList(listId), ...LIST_CHANGED },
    read: ({ json }) => readRow(json),
  });
}

/**
 * @param domains Normalized, distinct, and up to `LIMITS.batchSize`.
 * @returns The result of each domain that the response names, or else the whole response for each.
 * @throws {UnknownOutcomeError} if it is unknown whether the domains were added.
 */
export async function addDomains(
  run: Run,
  listId: string,
  domains: readonly string[],
): Promise<Map<string, Row>> {
  return await postOnce(run, {
    ...buildRequest(api.addDomains, { list_id: listId }),
    body: { domains },
    check: 'Check with Get Many whether the domains are in the list before you run this again.',
    errorTexts: errorTextsForList(listId),
    read: ({ json }) => readAdditions(json, domains),
  });
}

/** The API spec does not show the response: rows that name a `domain` are results of theirs. */
function readAdditions(json: unknown, domains: readonly string[]): Map<string, Row> {
  const rows = findAdditionRows(json);
  if (rows.length > 0) {
    return new Map(
      rows.map(({ domain, ...row }) => [domainKey(String(domain)), { status: ACCEPTED, ...row }]),
    );
  }
  const isEmpty = json === undefined || (isJsonObject(json) && Object.keys(json).length === 0);
  const row = { status: ACCEPTED, ...(isEmpty ? {} : { response: json }) };
  return new Map(domains.map((domain) => [domain, row]));
}

/** For domains to which the response gives no status. */
const ACCEPTED = 'accepted';

function findAdditionRows(json: unknown): Row[] {
  const hasId = (row: Row) => typeof row.domain === 'string';
  try {
    return findRows(json, { names: ['domains', ...MEMBER_LIST_NAMES], hasId }).rows.filter(hasId);
  } catch (error) {
    if (error instanceof InvalidResponseError) return [];
    throw error;
  }
}

export async function removeDomain(run: Run, listId: string, domain: string): Promise<void> {
  await deleteResource(run, {
    ...buildRequest(api.removeDomain, { list_id: listId, domain }),
    errorTexts: errorTextsForList(listId, `"${domain}" is not in it`),
  });
}
