import { InvalidResponseError } from '../../client/errors';
import { domainKey } from '../../input/hosts';
import { isJsonObject, type Row } from '../../values/json';
import { readRow } from '../../run/responses/rows';
import type { Page } from '../../run/responses/page';
import { findRows } from '../../run/responses/find-rows';
import type { RowRange } from '../../run/listing/listing';
import type { Run } from '../../run/run';
import {
  buildRequest,
  createEmptyQuery,
  readEndpointPages,
  type EndpointArguments,
} from '../endpoint';
import { api } from '../endpoints';
import { deleteResource, postOnce } from './effects';

type MemberQuery = Partial<Omit<EndpointArguments<typeof api.members>, 'list_id'>>;

const NO_FILTERS = createEmptyQuery(api.members);

/** Each member once. The API spec shows neither envelope nor cost (Lists, rule 6); a member counts as 1 credit. */
export function readMemberPages(
  run: Run,
  listId: string,
  query: MemberQuery,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return readEndpointPages(run, api.members, { list_id: listId, ...NO_FILTERS, ...query }, range);
}

/** Computing twice does no harm, so it is retried like a read. */
export async function materialize(run: Run, listId: string): Promise<Row> {
  return await run.request({
    ...buildRequest(api.materialize, { list_id: listId }),
    repeatable: true,
    isSlow: true,
    read: ({ json }) => readRow(json),
  });
}

/** Returns the result of each domain that the response names, or else the whole response for each. */
export async function addDomains(
  run: Run,
  listId: string,
  domains: readonly string[],
): Promise<Map<string, Row>> {
  return await postOnce(run, {
    ...buildRequest(api.addDomains, { list_id: listId }),
    body: { domains },
    check: 'Check with Get Many whether the domains are in the list before you run this again.',
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

const ACCEPTED = 'accepted';

function findAdditionRows(json: unknown): Row[] {
  const hasId = (row: Row) => typeof row.domain === 'string';
  try {
    return findRows(json, { names: ['domains', ...api.members.rows.names], hasId }).rows.filter(
      hasId,
    );
  } catch (error) {
    if (error instanceof InvalidResponseError) return [];
    throw error;
  }
}

export async function removeDomain(run: Run, listId: string, domain: string): Promise<void> {
  await deleteResource(run, {
    ...buildRequest(api.removeDomain, { list_id: listId, domain }),
  });
}
