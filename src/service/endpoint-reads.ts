import { readPage, type Page } from '../run/responses/page';
import { createIdReader, toRowId, readRow, type Row } from '../run/responses/rows';
import { collectListing, type Listing, type RowRange } from '../run/listing/listing';
import type { Run } from '../run/run';
import {
  buildRequest,
  listFields,
  type EndpointArguments,
  type Cost,
  type Endpoint,
  type ListEndpoint,
} from './endpoint';
import { schemas } from './endpoints';

/**
 * Requests an object and counts the credits its endpoint costs.
 *
 * @throws {ServiceError} when the request fails.
 */
export async function readEndpointObject<E extends Endpoint>(
  run: Run,
  endpoint: E,
  args: EndpointArguments<E>,
): Promise<Row> {
  const request = buildRequest(endpoint, args);
  // Without `max_nodes`, the service's default applies.
  const maxNodes = request.query.max_nodes ?? endpoint.query?.max_nodes?.usual;
  return await run.readRow({
    ...request,
    ...toCredits(endpoint.cost, Number(maxNodes)),
    read: readRow,
  });
}

function toCredits(cost: Cost, maxNodes: number) {
  if (cost.per === 'request') return { credits: cost.credits };
  if (cost.per !== 'node')
    throw new TypeError(`An endpoint that returns one object cannot cost credits per ${cost.per}`);
  return {
    credits: cost.atMost(maxNodes),
    creditsOf: ({ nodes }: Row) => cost.of(Array.isArray(nodes) ? nodes.length : 0),
  };
}

/**
 * Requests pages of rows, each row once, and counts the credits their endpoint costs.
 *
 * @throws {ServiceError} when a request fails; the first request is sent when the first page is taken.
 */
export function readEndpointPages<E extends ListEndpoint>(
  run: Run,
  endpoint: E,
  args: EndpointArguments<E>,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  const { cost, page, rows, ids, alsoId } = endpoint;
  const ownId = createIdReader(ids);
  return run.readPages({
    ...buildRequest(endpoint, args),
    read: (json) => readPage(json, rows),
    paging: { by: 'page', size: page.max },
    isFree: cost.per !== 'row',
    idOf: (row) => {
      const id = ownId(row);
      return id === undefined || alsoId === undefined ? id : `${id} ${toRowId(row[alsoId]) ?? ''}`;
    },
    ...range,
  });
}

/**
 * Requests rows, together with the other fields of the first page.
 *
 * @throws {ServiceError} when a request fails.
 */
export async function readEndpointRows<E extends ListEndpoint>(
  run: Run,
  endpoint: E,
  args: EndpointArguments<E>,
  range: RowRange,
): Promise<Listing> {
  return await collectListing(readEndpointPages(run, endpoint, args, range));
}

/** Returns the source of a list of companies for the output of rows. */
export function toListing<E extends ListEndpoint>(
  run: Run,
  endpoint: E,
  args: EndpointArguments<E>,
) {
  const given: Readonly<Record<string, unknown>> = args;
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    pages: (range: RowRange) => readEndpointPages(run, endpoint, args, range),
    pageSize: endpoint.page.max,
    requestFields: Object.fromEntries(names.map((name) => [name, String(given[name])])),
    columns: listCompanyColumns(listFields(endpoint), given.include as string | undefined),
  };
}

/** Fields that a response contains only on request. */
const SECTIONS = ['firmographics', 'technologies'];

/**
 * Returns the columns of companies.
 *
 * @param fields the fields of the rows, in the order of the API spec.
 * @param include the requested sections, comma-separated.
 */
export function listCompanyColumns(fields: readonly string[], include = ''): string[] {
  const sections = include.split(',');
  const firmographics = Object.keys(schemas().firmographics.shape);
  return [
    ...fields.filter((field) => !SECTIONS.includes(field)),
    ...(sections.includes('firmographics')
      ? firmographics.map((field) => `firmographics.${field}`)
      : []),
    ...(sections.includes('technologies') ? ['technologies'] : []),
  ];
}
