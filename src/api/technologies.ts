import { path } from '../client/call';
import { idBy } from '../run/answers/identity';
import { readPage, type Listing, type Page, type RowRange } from '../run/listing/pages';
import { byPage } from '../run/listing/paging';
import type { Exactly } from '../run/asked';
import type { Run } from '../run/run';
import { idOfCompany, type Included } from './companies';
import { LIMITS } from '../input/limits';

interface TechnologyQuery {
  readonly q: string;
}

/**
 * `GET /v1/technologies`: active technologies whose name, or whose vendor's name, matches (interface:
 * Technologies). Free.
 *
 * @param query `q`, 1 to 200 characters.
 * @param range which rows.
 */
export async function searchTechnologies<Q extends TechnologyQuery>(
  run: Run,
  query: Exactly<TechnologyQuery, Q>,
  range: RowRange,
): Promise<Listing> {
  return await run.rows({
    path: path`/v1/technologies`,
    query: { ...query },
    read: (json) => readPage(json, 'technologies'),
    paging: byPage(LIMITS.pageSize),
    creditsPerRow: 0,
    idOf: idBy(['tech_key']),
    ...range,
  });
}

/** Fields of a row of {@link companiesOfTechnology}. */
export const TECHNOLOGY_USER_FIELDS = [
  'slug',
  'name',
  'primary_domain',
  'detection_count',
  'first_seen_at',
  'last_seen_at',
];

/** Fields of a row of {@link companiesOfVendor}. */
export const VENDOR_USER_FIELDS = [
  ...TECHNOLOGY_USER_FIELDS,
  'technologies_used',
  'additional_signals',
];

/**
 * `GET /v1/technologies/{tech_key}/companies`: most recent evidence first; context `technology`. 1
 * credit per company returned.
 *
 * @param query `include`, `firmographics` or nothing.
 * @throws {NotFoundError} `technology_not_found`, when the first page is taken.
 */
export function companiesOfTechnology(
  run: Run,
  techKey: string,
  query: Included,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return companiesOf(run, path`/v1/technologies/${techKey}/companies`, query, range);
}

/**
 * `GET /v1/vendors/{domain}/companies`: users of any of the vendor's technologies; context `vendor`.
 * 1 credit per company returned.
 *
 * @param domain the vendor's exact domain.
 * @param query the same.
 * @throws {NotFoundError} `vendor_not_found`, when the first page is taken.
 */
export function companiesOfVendor(
  run: Run,
  domain: string,
  query: Included,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return companiesOf(run, path`/v1/vendors/${domain}/companies`, query, range);
}

function companiesOf(
  run: Run,
  url: string,
  query: Included,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return run.pages({
    path: url,
    query: { include: query.include },
    paging: byPage(LIMITS.companiesOfPageSize),
    idOf: idOfCompany,
    ...range,
  });
}
