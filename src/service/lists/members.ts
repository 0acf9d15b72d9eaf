import { domainKey } from '../../input/hosts';
import { idBy, idsBy, isRow, rowWith, type Row } from '../../run/answers/rows';
import { readFoundPage, type Page } from '../../run/answers/page';
import type { RowSearch } from '../../run/answers/find-rows';
import type { RowRange } from '../../run/listing/listing';
import { byOffset, LARGEST_PAGE } from '../../run/listing/paging';
import type { Run } from '../../run/run';
import { requestOf, type Asked } from '../endpoint';
import { api } from '../endpoints';
import { postOnce, remove } from './effects';
import { CHANGED_MEANWHILE, wordsOfList } from './words';

/** Which members, and whether they are recomputed. */
type MemberQuery = Partial<Omit<Asked<typeof api.members>, 'list_id'>>;

/** Rows of a page, unless the service allows fewer (interface: largest `limit` not shown). */
export const MEMBERS_PAGE_SIZE = LARGEST_PAGE;

/** Names that the rows of a members answer may have, beyond the usual ones. */
export const MEMBERS_NAMES = ['members', 'companies'];

/** Fields that may tell a member from others, the surest first; record fields are not shown. */
const ID_FIELDS = ['company_id', 'member_id', 'id', 'slug', 'primary_domain', 'domain'];

/**
 * `GET /v1/lists/{list_id}/members`: members in pages, in the service's order, each once. Envelope,
 * largest `limit` and cost are not shown (interface: Lists, rule 6); a member counts as 1 credit.
 *
 * @param query `tier`, `search_name_or_domain`; `force_refresh`, which is sent once.
 * @param range how many members (undefined for all), and how many to leave out before them.
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 */
export function memberPages(
  run: Run,
  listId: string,
  { force_refresh, tier, search_name_or_domain }: MemberQuery,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  const query = { tier, search_name_or_domain };
  return run.pages({
    ...range,
    ...requestOf(api.members, { list_id: listId, ...query, force_refresh: undefined }),
    words: { ...wordsOfList(listId), ...CHANGED_MEANWHILE },
    // Recomputed for every page, members would move between the pages.
    atFirst: { force_refresh },
    read: (json) => readFoundPage(json, MEMBERS_SEARCH, wholeCounts(query)),
    paging: byOffset,
    idOf: idOfMember,
    endpoint: api.members.path,
  });
}

const MEMBERS_SEARCH: RowSearch = {
  names: MEMBERS_NAMES,
  groups: api.members.query.tier.oneOf,
  groupField: 'tier',
  hasId: (row) => idOfMember(row) !== undefined,
};

/** The materialization counts (interface: List) that count what a query asks for. */
function wholeCounts({ tier, search_name_or_domain }: MemberQuery): string[] {
  if (search_name_or_domain !== undefined) return [];
  return [tier === undefined ? 'total_count' : `${tier}_count`];
}

/** A member's own identity, or that of the company in it. */
export function idOfMember(member: Row): string | undefined {
  return ownId(member) ?? (isRow(member.company) ? ownId(member.company) : undefined);
}

const ownId = idBy(ID_FIELDS);

/** All ids of a member, and those of the company in it; the surest first. */
export function idsOfMember(member: Row): string[] {
  return [...ownIds(member), ...(isRow(member.company) ? ownIds(member.company) : [])];
}

const ownIds = idsBy(ID_FIELDS);

/** Materialization counts (interface: List). */
const COUNTS = ['total_count', 'high_count', 'medium_count', 'exploratory_count'];

/**
 * `POST /v1/lists/{list_id}/materialize`: recomputes the members and counts them, in all and in
 * each tier. Free, because no company is returned. Computing twice changes nothing that computing
 * once does not, so that it is sent again after a failure like a read.
 *
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 */
export async function materialize(run: Run, listId: string): Promise<Row> {
  return await run.request({
    ...requestOf(api.materialize, { list_id: listId }),
    repeatable: true,
    words: { ...wordsOfList(listId), ...CHANGED_MEANWHILE },
    read: ({ json }) => rowWith(json, COUNTS),
  });
}

/**
 * `POST /v1/lists/{list_id}/domains`: adds companies by hand. Free. The body beyond `domains` is not
 * shown (interface: Lists, rule 6).
 *
 * @param domains normalized, distinct, at most `LIMITS.batchSize`.
 * @param more merged into the body.
 * @returns what became of each domain, as far as the answer tells; see {@link additionsIn}.
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 * @throws {UnknownOutcomeError} when they may or may not have been added.
 */
export async function addDomains(
  run: Run,
  listId: string,
  domains: readonly string[],
  more: Row,
): Promise<Map<string, Row>> {
  return await postOnce(run, {
    ...requestOf(api.addDomains, { list_id: listId }),
    body: { domains, ...more },
    check: 'Look with Get Many whether they are in the list before you run this again.',
    words: wordsOfList(listId),
    read: ({ json }) => additionsIn(json, domains),
  });
}

/** The answer tells nothing of a domain, or of any: then the status of the answer stands for all. */
const ACCEPTED = 'accepted';

/** Lists of these names hold what was sent, or something else; their names say nothing about it. */
const TELLS_NOTHING = ['domains', 'companies', 'data', 'items', 'members', 'results', 'rows'];

/**
 * Finds out what became of each domain that was added. The answer is not shown by the interface
 * (Lists, rule 6), so that these are understood: lists of domains whose names say it
 * (`{ added: [], not_tracked: [] }`), rows with a `domain`, one such row, and nothing at all.
 *
 * @param domains normalized.
 * @returns one row for each domain that the answer tells something of, its `status` in the service's
 * own word; when it tells of none, `accepted` for all of them.
 */
export function additionsIn(answer: unknown, domains: readonly string[]): Map<string, Row> {
  const sent = new Set(domains);
  const told = new Map<string, Row>();
  for (const { domain, row } of mentionsIn(answer)) {
    const known = told.get(domain);
    if (sent.has(domain) && (known === undefined || known.status === ACCEPTED)) {
      told.set(domain, row);
    }
  }
  if (told.size > 0) return told;
  return new Map(domains.map((domain) => [domain, { status: ACCEPTED }]));
}

interface Mention {
  /** In the form of {@link domainKey}. */
  readonly domain: string;
  readonly row: Row;
}

/** How deep an answer may be. */
const DEEPEST = 3;

function* mentionsIn(value: unknown, name = '', depth = 0): Generator<Mention> {
  if (depth > DEEPEST) return;
  const status = name === '' || TELLS_NOTHING.includes(name) ? ACCEPTED : name;
  if (Array.isArray(value)) {
    for (const entry of value as unknown[]) {
      if (typeof entry === 'string') yield { domain: domainKey(entry), row: { status } };
      else yield* mentionsIn(entry, name, depth + 1);
    }
  } else if (isRow(value)) {
    const { domain = value.primary_domain, ...fields } = value;
    if (typeof domain === 'string') {
      yield { domain: domainKey(domain), row: { status, ...fields } };
      return;
    }
    for (const [key, inner] of Object.entries(value)) yield* mentionsIn(inner, key, depth + 1);
  }
}

/**
 * `DELETE /v1/lists/{list_id}/domains/{domain}`: takes a company out. Free. May be sent again; see
 * {@link remove}.
 *
 * @throws {NotFoundError} when the list is unknown or invisible, or the domain is not in it.
 */
export async function removeDomain(run: Run, listId: string, domain: string): Promise<void> {
  await remove(run, {
    ...requestOf(api.removeDomain, { list_id: listId, domain }),
    words: wordsOfList(listId, `"${domain}" is not in it`),
    isThere: async () => await hasMember(run, listId, domain),
  });
}

async function hasMember(run: Run, listId: string, domain: string): Promise<boolean> {
  const search = { search_name_or_domain: domain };
  for await (const { rows } of memberPages(run, listId, search, { wanted: undefined })) {
    const known = [...rows].flatMap((row) => [row.primary_domain, row.domain]);
    if (known.some((one) => typeof one === 'string' && domainKey(one) === domain)) return true;
  }
  return false;
}
