import type { Arriving } from '../../client/client';
import { invalidResponse, SOMETHING_ELSE_ANSWERED } from '../../client/errors';
import { path } from '../../client/call';
import { domainKey } from '../../input/hosts';
import { countOf } from '../../run/answers/count';
import { idBy, idsBy } from '../../run/answers/identity';
import { isRow, type Row } from '../../run/answers/rows';
import { readPageAnywhere, type Page, type RowRange } from '../../run/listing/pages';
import { byOffset, LARGEST_PAGE } from '../../run/listing/paging';
import { rowWith } from '../../run/answers/row-anywhere';
import type { Run } from '../../run/run';
import { additionsIn } from './added';
import { postOnce, remove } from './effects';
import { exportedCsv, meteredCsv } from './exported-csv';
import { wordsOfList } from './words';

/** Tiers of members (interface: States, notes). */
const TIERS = ['high', 'medium', 'exploratory'] as const;

/** Rows of a page, unless the service allows fewer (interface: largest `limit` not shown). */
export const MEMBERS_PAGE_SIZE = LARGEST_PAGE;

/** Names that the rows of a members answer may have. */
export const MEMBERS_NAMES = ['members', 'data', 'companies', 'items', 'results', 'rows'];

/** Fields that may tell a member from others, the surest first; record fields are not shown. */
const ID_FIELDS = ['company_id', 'member_id', 'id', 'slug', 'primary_domain', 'domain'];

/** Query parameters as the interface names them. */
interface MemberFilters {
  readonly tier?: string | undefined;
  readonly search_name_or_domain?: string | undefined;
  readonly force_refresh?: boolean | undefined;
}

/**
 * `GET /v1/lists/{list_id}/members`: members in pages, in the service's order, each once. Envelope,
 * largest `limit` and cost are not shown (interface: Lists, rule 6); a member counts as 1 credit.
 *
 * @param filters of which `force_refresh` is sent once.
 * @param range how many members (undefined for all), and how many to leave out before them.
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 */
export function memberPages(
  run: Run,
  listId: string,
  { force_refresh, tier, search_name_or_domain }: MemberFilters,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return run.pages({
    ...range,
    path: path`/v1/lists/${listId}/members`,
    words: wordsOfList(listId),
    query: { tier, search_name_or_domain },
    // Recomputed for every page, members would move between the pages.
    atFirst: { force_refresh },
    read: (json) => readPageAnywhere(json, MEMBERS_NAMES, { names: TIERS, field: 'tier' }),
    paging: byOffset,
    idOf: idOfMember,
    endpoint: '/v1/lists/{list_id}/members',
  });
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
    method: 'POST',
    path: path`/v1/lists/${listId}/materialize`,
    repeatable: true,
    words: wordsOfList(listId),
    read: ({ json }) => rowWith(json, COUNTS),
  });
}

/** A list as the service exports it. */
export interface MembersFile {
  /** As the service names it. */
  readonly fileName: string | undefined;
  /**
   * CSV in UTF-8, otherwise as the service sends it; see {@link exportedCsv}.
   *
   * @throws {ServiceError} when it breaks off.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * `GET /v1/lists/{list_id}/export.csv`: all members as CSV. Credit-charged; how much is not shown
 * (interface: Credits), so that with Max Credits the members are counted first and each counts as
 * 1; without, each line does. Companies read in the last 30 days are free, hence it is sent again after a failure.
 *
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 * @throws {NotAttemptedError} when the export may cost more than the run may spend.
 */
export async function exportMembers(run: Run, listId: string): Promise<MembersFile> {
  const send = async (): Promise<MembersFile> =>
    await run.download({
      method: 'GET',
      path: path`/v1/lists/${listId}/export.csv`,
      repeatable: true,
      accept: 'text/csv',
      words: wordsOfList(listId),
      read: readCsvHead,
    });
  if (run.credits.limit === undefined) {
    const file = await send();
    return { ...file, body: meteredCsv(file.body, run.credits) };
  }
  const members = await creditsOfExport(run, listId);
  return await run.credits.spend(members, send, () => members);
}

/**
 * Credits that {@link exportMembers} may cost: the members, counted anew.
 *
 * @throws {InvalidResponseError} when the service does not say how many there are.
 */
export async function creditsOfExport(run: Run, listId: string): Promise<number> {
  const { total_count: total } = await materialize(run, listId);
  const members = countOf(total);
  if (members !== undefined) return members;
  throw invalidResponse(
    'The service did not say how many members the list has, so that Max Credits cannot be kept',
    'Remove Max Credits from the options to export all the same.',
  );
}

/** What is where CSV should be, by how it begins. */
const NOT_CSV = /^\s*(?:<!doctype|<html|<\?xml|[[{]|null\s*$)/i;

function readCsvHead(arriving: Arriving): MembersFile {
  const { headers, start } = arriving;
  const type = headers['content-type'] ?? '';
  const nothing = start.length === 0 && !type.includes('csv');
  if (nothing || /html|json/.test(type) || NOT_CSV.test(Buffer.from(start).toString('utf8'))) {
    throw invalidResponse(
      nothing ? 'The answer is empty' : 'The answer is not CSV',
      SOMETHING_ELSE_ANSWERED,
    );
  }
  return {
    fileName: fileNameIn(headers['content-disposition']),
    body: exportedCsv(arriving),
  };
}

/** The `filename` of a Content-Disposition header, without any folder, and of the file unpacked. */
function fileNameIn(disposition = ''): string | undefined {
  const [, quoted, plain] = /;\s*filename=(?:"([^"]*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const name = (quoted ?? plain ?? '').split(/[/\\]/).at(-1)?.trim().replace(/\.gz$/i, '');
  return name === undefined || /^\.*$/.test(name) ? undefined : name;
}

/** Under this path, batch sizes that the service refused are remembered. */
export const ADD_DOMAINS_PATH = '/v1/lists/{list_id}/domains';

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
    path: path`/v1/lists/${listId}/domains`,
    body: { domains, ...more },
    check: 'Look with Get Many whether they are in the list before you run this again.',
    words: wordsOfList(listId),
    read: ({ json }) => additionsIn(json, domains),
  });
}

/**
 * `DELETE /v1/lists/{list_id}/domains/{domain}`: takes a company out. Free. May be sent again; see
 * {@link remove}.
 *
 * @throws {NotFoundError} when the list is unknown or invisible, or the domain is not in it.
 */
export async function removeDomain(run: Run, listId: string, domain: string): Promise<void> {
  await remove(run, {
    path: path`/v1/lists/${listId}/domains/${domain}`,
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
