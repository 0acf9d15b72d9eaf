import type { Client } from '../client/client';
import { path } from '../client/path';
import type { CompaniesOf } from './companies';
import { getPages, getRows } from './get';
import type { ApiOptions } from './options';
import { LIMITS } from './limits';
import type { Listing, Page } from './pages';

/**
 * `GET /v1/technologies`: active technologies whose name, or whose vendor's name, matches (interface:
 * Technologies). Free.
 *
 * @param q 1 to 200 characters.
 * @param wanted number of rows; undefined for all.
 */
export async function searchTechnologies(
  client: Client,
  q: string,
  wanted: number | undefined,
  options: ApiOptions,
): Promise<Listing> {
  return await getRows(
    client,
    {
      path: path`/v1/technologies`,
      query: { q },
      rowsKey: 'technologies',
      pageSize: LIMITS.pageSize,
      creditsPerRow: 0,
      wanted,
    },
    options,
  );
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
 * @throws {NotFoundError} `technology_not_found`, when the first page is taken.
 */
export function companiesOfTechnology(
  client: Client,
  techKey: string,
  request: CompaniesOf,
  options: ApiOptions,
): AsyncGenerator<Page, void, undefined> {
  return companiesOf(client, path`/v1/technologies/${techKey}/companies`, request, options);
}

/**
 * `GET /v1/vendors/{domain}/companies`: users of any of the vendor's technologies; context `vendor`.
 * 1 credit per company returned.
 *
 * @param domain the vendor's exact domain.
 * @throws {NotFoundError} `vendor_not_found`, when the first page is taken.
 */
export function companiesOfVendor(
  client: Client,
  domain: string,
  request: CompaniesOf,
  options: ApiOptions,
): AsyncGenerator<Page, void, undefined> {
  return companiesOf(client, path`/v1/vendors/${domain}/companies`, request, options);
}

function companiesOf(
  client: Client,
  url: string,
  { include, ...range }: CompaniesOf,
  options: ApiOptions,
): AsyncGenerator<Page, void, undefined> {
  return getPages(
    client,
    { path: url, query: { include }, pageSize: LIMITS.companiesOfPageSize, ...range },
    options,
  );
}
