import { domainKey } from '../../input/hosts';
import { createIdReader, isRow, readRowWithAnyField, type Row } from '../../run/responses/rows';
import { readUndocumentedPage, type Page } from '../../run/responses/page';
import type { RowSearch } from '../../run/responses/find-rows';
import type { RowRange } from '../../run/listing/listing';
import type { Run } from '../../run/run';
import { buildRequest, type EndpointArguments } from '../endpoint';
import { api } from '../endpoints';
import { postOnce, removeOnce } from './effects';
import { CHANGED_MEANWHILE_HINT, errorTextsForList } from './error-texts';

/** The filters for members, and whether to recompute them. */
type MemberQuery = Partial<Omit<EndpointArguments<typeof api.members>, 'list_id'>>;

/** Rows of a page; the API spec does not show the largest `limit`, which is at least 100 for all other lists. */
export const MEMBERS_PAGE_SIZE = 100;

/** Names that the list of rows can have in a response with members, in addition to the usual ones. */
export const MEMBER_LIST_NAMES = ['members', 'companies'];

/**
 * Fields that can identify a member, the most reliable first; the API spec does not show the fields.
 */
const ID_FIELDS = ['company_id', 'member_id', 'id', 'slug', 'primary_domain', 'domain'];

/**
 * Requests pages of members with `GET /v1/lists/{list_id}/members`, in the service's order, each member
 * once. The API spec shows neither envelope nor cost (API spec: Lists, rule 6); a member counts as 1
 * credit.
 *
 * @param query `tier`, `search_name_or_domain`, and `force_refresh`, which is sent once.
 * @param range the number of members (undefined for all), and how many to skip before them.
 * @throws {NotFoundError} when the list does not exist or the user may not see it.
 */
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
    errorTexts: { ...errorTextsForList(listId), ...CHANGED_MEANWHILE_HINT },
    // If members were recomputed for every page, they would move between pages.
    atFirst: { force_refresh },
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

/** Returns the names of the materialization counts (API spec: List) that count all rows of a query. */
function getTotalFields({ tier, search_name_or_domain }: MemberQuery): string[] {
  if (search_name_or_domain !== undefined) return [];
  return [tier === undefined ? 'total_count' : `${tier}_count`];
}

/** Returns the id of a member, or else of the company in it; undefined if there is none. */
export function getMemberId(member: Row): string | undefined {
  return ownId(member) ?? (isRow(member.company) ? ownId(member.company) : undefined);
}

const ownId = createIdReader(ID_FIELDS);

/** Materialization counts (API spec: List). */
const COUNTS = ['total_count', 'high_count', 'medium_count', 'exploratory_count'];

/**
 * Recomputes the members with `POST /v1/lists/{list_id}/materialize` and counts them, in total and by
 * tier. Free, because no company is returned. Computing twice has the same effect as computing once, so
 * the request is retried after a failure like a read.
 *
 * @throws {NotFoundError} when the list does not exist or the user may not see it.
 */
export async function materialize(run: Run, listId: string): Promise<Row> {
  return await run.request({
    ...buildRequest(api.materialize, { list_id: listId }),
    repeatable: true,
    errorTexts: { ...errorTextsForList(listId), ...CHANGED_MEANWHILE_HINT },
    read: ({ json }) => readRowWithAnyField(json, COUNTS),
  });
}

/**
 * Adds companies by domain with `POST /v1/lists/{list_id}/domains`. Free. The API spec shows only
 * `domains` of the body (API spec: Lists, rule 6).
 *
 * @param domains the normalized, distinct domains, up to `LIMITS.batchSize`.
 * @param more further fields to merge into the body.
 * @returns the result of each domain that the response mentions; see {@link readAdditions}.
 * @throws {NotFoundError} when the list does not exist or the user may not see it.
 * @throws {UnknownOutcomeError} when it is unknown whether the domains were added.
 */
export async function addDomains(
  run: Run,
  listId: string,
  domains: readonly string[],
  more: Row,
): Promise<Map<string, Row>> {
  return await postOnce(run, {
    ...buildRequest(api.addDomains, { list_id: listId }),
    body: { domains, ...more },
    check: 'Check with Get Many whether the domains are in the list before you run this again.',
    errorTexts: errorTextsForList(listId),
    read: ({ json }) => readAdditions(json, domains),
  });
}

/** The status of a domain for which the response has no status of its own. */
const ACCEPTED = 'accepted';

/** Names of lists that say nothing about the status of the domains in them. */
const LISTS_WITHOUT_STATUS = [
  'domains',
  'companies',
  'data',
  'items',
  'members',
  'results',
  'rows',
];

/**
 * Reads the result of each added domain. The API spec does not show the response (API spec: Lists, rule
 * 6), so these forms are accepted: lists of domains named by their status (`{ added: [], not_tracked:
 * [] }`), rows with a `domain`, one such row, and an empty response.
 *
 * @param domains the normalized domains.
 * @returns one row for each domain in the response, with the service's own `status`; if the response
 * mentions no domain, a row with `accepted` for each.
 */
export function readAdditions(answer: unknown, domains: readonly string[]): Map<string, Row> {
  const sent = new Set(domains);
  const found = new Map<string, Row>();
  for (const { domain, row } of findMentions(answer)) {
    const known = found.get(domain);
    if (sent.has(domain) && (known === undefined || known.status === ACCEPTED)) {
      found.set(domain, row);
    }
  }
  if (found.size > 0) return found;
  return new Map(domains.map((domain) => [domain, { status: ACCEPTED }]));
}

interface Mention {
  /** The domain in the form of {@link domainKey}. */
  readonly domain: string;
  readonly row: Row;
}

/** Levels of a response that are searched. */
const MAX_DEPTH = 3;

function* findMentions(value: unknown, name = '', depth = 0): Generator<Mention> {
  if (depth > MAX_DEPTH) return;
  const status = name === '' || LISTS_WITHOUT_STATUS.includes(name) ? ACCEPTED : name;
  if (Array.isArray(value)) {
    for (const entry of value as unknown[]) {
      if (typeof entry === 'string') yield { domain: domainKey(entry), row: { status } };
      else yield* findMentions(entry, name, depth + 1);
    }
  } else if (isRow(value)) {
    const { domain = value.primary_domain, ...fields } = value;
    if (typeof domain === 'string') {
      yield { domain: domainKey(domain), row: { status, ...fields } };
      return;
    }
    for (const [key, inner] of Object.entries(value)) yield* findMentions(inner, key, depth + 1);
  }
}

/**
 * Removes a company from a list with `DELETE /v1/lists/{list_id}/domains/{domain}`. Free. The request
 * can be retried; see {@link removeOnce}.
 *
 * @throws {NotFoundError} when the list does not exist, the user may not see it, or it lacks the domain.
 */
export async function removeDomain(run: Run, listId: string, domain: string): Promise<void> {
  await removeOnce(run, {
    ...buildRequest(api.removeDomain, { list_id: listId, domain }),
    errorTexts: errorTextsForList(listId, `"${domain}" is not in it`),
    isThere: async () => await hasMember(run, listId, domain),
  });
}

async function hasMember(run: Run, listId: string, domain: string): Promise<boolean> {
  const search = { search_name_or_domain: domain };
  for await (const { rows } of readMemberPages(run, listId, search, { wanted: undefined })) {
    const known = [...rows].flatMap((row) => [row.primary_domain, row.domain]);
    if (known.some((one) => typeof one === 'string' && domainKey(one) === domain)) return true;
  }
  return false;
}
