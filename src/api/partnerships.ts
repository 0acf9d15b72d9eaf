import { path, type Query } from '../client/call';
import { idBy, isRow, rowWith, type Row } from '../run/answers/rows';
import type { Listing, RowRange } from '../run/listing/listing';
import type { Page } from '../run/answers/page';
import { byPage } from '../run/listing/paging';
import type { Run } from '../run/run';
import { companyPages, idOfCompany } from './companies';
import { LIMITS } from '../input/limits';
import { flatCompany, shapeOf } from './flat-company';

const PAGES = byPage(LIMITS.pageSize);

/**
 * `GET /v1/companies/{identifier}/partnerships`: a company's partners, whoever named whom; context
 * `company` and `type_counts`, which no filter changes. 1 credit per partner returned.
 *
 * @param query `q`, `partnership_types`, `sort`.
 * @throws {NotFoundError} `company_not_found`.
 */
export async function partnersOf(
  run: Run,
  identifier: string,
  query: Query,
  range: RowRange,
): Promise<Listing> {
  return await run.rows({
    path: path`/v1/companies/${identifier}/partnerships`,
    query,
    paging: PAGES,
    idOf: idOfPartner,
    ...range,
  });
}

/** Columns of flat rows of {@link partnersOf}. */
export const PARTNER_COLUMNS = [
  'domain',
  'partner_name',
  'partner_domain',
  'partner_slug',
  'partnership_type',
  'first_observed_at',
  'last_observed_at',
  'observation_count',
];

/**
 * How rows of {@link partnersOf} come out: flat ones say in `domain` whose partners they are.
 *
 * @param identifier the company that was asked for.
 */
export function partnerShape(simplify: boolean, identifier: string) {
  return simplify
    ? (row: Row, { company }: Row) => {
        const known = isRow(company) ? company.primary_domain : undefined;
        const asked = identifier.includes('.') ? identifier : undefined;
        return flatCompany({ domain: known ?? asked, ...row });
      }
    : shapeOf({ simplify });
}

/** A partner, once for each type of partnership. */
function idOfPartner(row: Row): string | undefined {
  const id = partnerId(row);
  return id === undefined ? undefined : `${id} ${String(row.partnership_type)}`;
}

const partnerId = idBy(['partner_slug', 'partner_domain']);

/**
 * `GET /v1/partnerships/{partner_domain}/companies`: companies that name a partner; context
 * `partner`. 1 credit per company returned.
 *
 * @param query `include`: `firmographics` or nothing.
 * @throws {NotFoundError} `partner_not_found`, when the first page is taken.
 */
export function companiesOfPartner(
  run: Run,
  partnerDomain: string,
  query: Query,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  return companyPages(run, path`/v1/partnerships/${partnerDomain}/companies`, query, PAGES, range);
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

/** 1 for each of the two companies. */
export const PARTNERSHIP_CREDITS = 2;

/**
 * `GET /v1/partnerships/{identifier_a}/{identifier_b}`: what is known of one partnership, for
 * {@link PARTNERSHIP_CREDITS} at most.
 *
 * @throws {NotFoundError} `partnership_not_found`, `company_not_found`.
 */
export async function partnershipBetween(
  run: Run,
  identifierA: string,
  identifierB: string,
): Promise<Row> {
  return await run.row({
    path: path`/v1/partnerships/${identifierA}/${identifierB}`,
    read: (json) => rowWith(json, PARTNERSHIP_FIELDS),
    credits: PARTNERSHIP_CREDITS,
  });
}

/** Fields of a flat row of {@link sharedPartners}. */
export const SHARED_PARTNER_FIELDS = ['slug', 'name', 'primary_domain'];

/**
 * How rows of {@link sharedPartners} come out: flat ones are about the partner. The two companies, where
 * they are added, are called as in {@link sideBySide}.
 */
export function sharedPartnerShape(simplify: boolean) {
  return simplify
    ? ({
        partner_name,
        partner_domain,
        partner_slug,
        company_a: a,
        company_b: b,
        ...row
      }: Row) => ({
        ...flatCompany({
          ...row,
          name: row.name ?? partner_name,
          primary_domain: row.primary_domain ?? partner_domain,
          slug: row.slug ?? partner_slug,
        }),
        ...suffixed(a, 'a'),
        ...suffixed(b, 'b'),
      })
    : shapeOf({ simplify });
}

function suffixed(company: unknown, which: 'a' | 'b'): Row {
  const columns = isRow(company) ? Object.entries(flatCompany(company)) : [];
  return Object.fromEntries(columns.map(([name, value]) => [`${name}_${which}`, value]));
}

/**
 * `GET /v1/partnerships/{identifier_a}/{identifier_b}/shared-partners`; context `company_a` and
 * `company_b`. 1 credit per partner returned.
 *
 * @throws {NotFoundError} `partnership_not_found`.
 */
export async function sharedPartners(
  run: Run,
  identifierA: string,
  identifierB: string,
  range: RowRange,
): Promise<Listing> {
  return await run.rows({
    path: path`/v1/partnerships/${identifierA}/${identifierB}/shared-partners`,
    paging: PAGES,
    idOf: (row) => idOfPartner(row) ?? idOfCompany(row),
    ...range,
  });
}
