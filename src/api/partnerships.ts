import type { Client } from '../client/client';
import { path } from '../client/path';
import type { CompaniesOf } from './companies';
import { getPages, getRow, getRows } from './get';
import type { ApiOptions } from './options';
import { LIMITS } from './limits';
import type { Listing, Page } from './pages';
import type { Row } from './rows';

/** Query of `GET /v1/companies/{identifier}/partnerships` (interface: Partnerships). */
export interface PartnerFilters {
  /** Part of the partner's name. */
  readonly q: string | undefined;
  /** Comma-separated partnership types. */
  readonly partnership_types: string | undefined;
  /** `last_observed_at`, `first_observed_at` or `observation_count`, `-` before it for descending. */
  readonly sort: string;
}

/**
 * `GET /v1/companies/{identifier}/partnerships`: a company's partners, whoever named whom; context
 * `company` and `type_counts`, which no filter changes. 1 credit per partner returned.
 *
 * @throws {NotFoundError} `company_not_found`.
 */
export async function partnersOf(
  client: Client,
  identifier: string,
  filters: PartnerFilters,
  wanted: number | undefined,
  options: ApiOptions,
): Promise<Listing> {
  return await getRows(
    client,
    {
      path: path`/v1/companies/${identifier}/partnerships`,
      query: { ...filters },
      pageSize: LIMITS.pageSize,
      wanted,
    },
    options,
  );
}

/**
 * `GET /v1/partnerships/{partner_domain}/companies`: companies that name a partner; context
 * `partner`. 1 credit per company returned.
 *
 * @throws {NotFoundError} `partner_not_found`, when the first page is taken.
 */
export function companiesOfPartner(
  client: Client,
  partnerDomain: string,
  { include, ...range }: CompaniesOf,
  options: ApiOptions,
): AsyncGenerator<Page, void, undefined> {
  return getPages(
    client,
    {
      path: path`/v1/partnerships/${partnerDomain}/companies`,
      query: { include },
      pageSize: LIMITS.pageSize,
      ...range,
    },
    options,
  );
}

/** Fields of a row of {@link companiesOfPartner}. */
export const REVERSE_PARTNER_FIELDS = [
  'slug',
  'name',
  'primary_domain',
  'first_seen_at',
  'last_seen_at',
  'observation_count',
];

const PARTNERSHIP_FIELDS = [
  'company_a',
  'company_b',
  'partnership_type',
  'first_observed_at',
  'shared_partner_count',
  'attributions',
];

/**
 * `GET /v1/partnerships/{identifier_a}/{identifier_b}`: what is known of one partnership. 1 credit for
 * each of the two companies at most.
 *
 * @throws {NotFoundError} `partnership_not_found`, `company_not_found`.
 */
export async function partnershipBetween(
  client: Client,
  identifierA: string,
  identifierB: string,
  options: ApiOptions,
): Promise<Row> {
  return await getRow(
    client,
    {
      path: path`/v1/partnerships/${identifierA}/${identifierB}`,
      fields: PARTNERSHIP_FIELDS,
      credits: 2,
    },
    options,
  );
}

/**
 * `GET /v1/partnerships/{identifier_a}/{identifier_b}/shared-partners`; context `company_a` and
 * `company_b`. 1 credit per partner returned.
 *
 * @throws {NotFoundError} `partnership_not_found`.
 */
export async function sharedPartners(
  client: Client,
  identifierA: string,
  identifierB: string,
  wanted: number | undefined,
  options: ApiOptions,
): Promise<Listing> {
  return await getRows(
    client,
    {
      path: path`/v1/partnerships/${identifierA}/${identifierB}/shared-partners`,
      pageSize: LIMITS.pageSize,
      wanted,
    },
    options,
  );
}
