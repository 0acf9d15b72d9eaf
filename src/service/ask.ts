import { readPage, type Page } from '../run/answers/page';
import { idBy, identityOf, rowWith, type Row } from '../run/answers/rows';
import { listingOf, type Listing, type RowRange } from '../run/listing/listing';
import { byPage } from '../run/listing/paging';
import type { GetRows, Run } from '../run/run';
import { requestOf, type Asked, type Cost, type OfOne, type OfRows } from './endpoint';
import { FIRMOGRAPHICS } from './endpoints';
import { keeperOf, type KeepOnly } from './firmographics';

/**
 * Requests an object and counts the credits its endpoint costs.
 *
 * @throws {ServiceError} when the request fails.
 */
export async function askOne<E extends OfOne>(
  run: Run,
  endpoint: E,
  asked: Asked<E>,
): Promise<Row> {
  const request = requestOf(endpoint, asked);
  return await run.row({
    ...request,
    ...creditsOf(endpoint.cost, Number(request.query.max_nodes)),
    read: (json) => rowWith(json, endpoint.fields),
  });
}

function creditsOf(cost: Cost, maxNodes: number) {
  if (cost.per === 'request') return { credits: cost.credits };
  if (cost.per !== 'node') throw new TypeError(`An object cannot cost by ${cost.per}`);
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
export function askPages<E extends OfRows>(
  run: Run,
  endpoint: E,
  asked: Asked<E>,
  range: RowRange & Pick<GetRows, 'keeps'>,
): AsyncGenerator<Page, void, undefined> {
  const { cost, page, rows, ids, alsoId } = endpoint;
  const ownId = idBy(ids);
  return run.pages({
    ...requestOf(endpoint, asked),
    read: (json) => readPage(json, rows),
    paging: byPage(page.max),
    ...(cost.per === 'row' ? {} : { creditsPerRow: 0 }),
    idOf: (row) => {
      const id = ownId(row);
      return id === undefined || alsoId === undefined
        ? id
        : `${id} ${identityOf(row[alsoId]) ?? ''}`;
    },
    ...range,
  });
}

/**
 * Requests rows, together with the other fields of the first page.
 *
 * @throws {ServiceError} when a request fails.
 */
export async function askRows<E extends OfRows>(
  run: Run,
  endpoint: E,
  asked: Asked<E>,
  range: RowRange,
): Promise<Listing> {
  return await listingOf(askPages(run, endpoint, asked, range), range.keepsArrived);
}

/**
 * Returns the source of a list of companies for the output of rows.
 *
 * @param keepOnly Conditions for rows; with any, firmographics are requested too.
 */
export function listed<E extends OfRows>(
  run: Run,
  endpoint: E,
  wanted: Asked<E>,
  keepOnly: KeepOnly = {},
) {
  const keeps = keeperOf(keepOnly);
  const asked = keeps === undefined ? wanted : { ...wanted, include: 'firmographics' };
  const given: Readonly<Record<string, unknown>> = asked;
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    pages: (range: RowRange) => askPages(run, endpoint, asked, { ...range, keeps }),
    pageSize: endpoint.page.max,
    asked: Object.fromEntries(names.map((name) => [name, String(given[name])])),
    columns: companyColumns(endpoint.fields, given.include as string | undefined),
  };
}

/**
 * Returns the columns of companies.
 *
 * @param fields the fields of the rows, in the order of the API spec.
 * @param include the requested sections, comma-separated.
 */
export function companyColumns(fields: readonly string[], include = ''): string[] {
  const sections = include.split(',');
  const firmographics = FIRMOGRAPHICS.map((field) => `firmographics.${field}`);
  return [
    ...fields,
    ...(sections.includes('firmographics') ? firmographics : []),
    ...(sections.includes('technologies') ? ['technologies'] : []),
  ];
}
