import { readEndpointObject, readEndpointRows, toListing } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import {
  listPartnerColumns,
  listSharedPartnerColumns,
  createPartnerShape,
  createSharedPartnerShape,
  readPair,
} from '../../src/service/partnerships';
import { parseDomain } from '../../src/input/inputs';
import { outputRows } from '../../src/n8n/files/rows-output';
import type { Page } from '../../src/run/responses/page';
import type { Row } from '../../src/run/responses/rows';
import { parameter } from '../../src/n8n/parameters/declare';
import { createListingOutput } from '../../src/n8n/rows/listing-output';
import { perItem } from '../../src/n8n/rows/per-item';
import { describePair, company, companyPair, partnershipTypes } from '../shared/company';
import {
  chargedPaging,
  companyRows,
  containsFilter,
  countOnly,
  fileOptions,
  offset,
  simplify,
  sort,
} from '../shared/output';
import {
  ifNotFound,
  maxCredits,
  createOptions,
  subdomains,
  summaryFields,
} from '../shared/options';

const SORT_FIELDS = [
  { name: 'First Observed', value: 'first_observed_at' },
  { name: 'Last Observed', value: 'last_observed_at' },
  { name: 'Number of Observations', value: 'observation_count' },
];

/** `GET /v1/companies/{identifier}/partnerships` */
export const getPartners = perItem({
  option: {
    name: 'Get Partners',
    value: 'getPartners',
    description:
      'List the partners of a company. Costs 1 credit per partner, then free for 30 days.',
    action: 'Get partners',
  },
  returns: 'domain, of_domain, partner_name, partnership_type, last_observed_at',
  parameters: {
    identifier: company(),
    wanted: chargedPaging,
    countOnly,
    q: containsFilter('q', 'partners'),
    partnership_types: partnershipTypes,
    sort: sort(SORT_FIELDS, '-last_observed_at'),
    simplify,
    options: createOptions({
      header: summaryFields('the company and its number of partners of each type'),
      ifNotFound,
      maxCredits,
      offset,
      subdomains,
    }),
  },
  requestFieldsOf: ({ identifier }) => ({ identifier }),
  execute: async (
    { identifier, wanted, countOnly: isCounted, simplify: isFlat, options, ...filters },
    { run },
  ) =>
    await createListingOutput(
      { wanted, countOnly: isCounted, options },
      {
        read: async (range) =>
          await readEndpointRows(run, api.partners, { identifier, ...filters }, range),
        requestFields: { identifier },
        shape: createPartnerShape(isFlat, identifier),
        columns: isFlat ? listPartnerColumns() : undefined,
      },
    ),
});

/** `GET /v1/partnerships/{identifier_a}/{identifier_b}` */
export const getPartnership = perItem({
  option: {
    name: 'Get Partnership',
    value: 'getPartnership',
    description:
      'Get a partnership of two companies with its sources. Costs up to 1 credit per company.',
    action: 'Get partnership',
  },
  returns: 'company_a, company_b, partnership_type, shared_partner_count, attributions',
  parameters: { ...companyPair, options: createOptions({ ifNotFound, maxCredits, subdomains }) },
  requestFieldsOf: describePair,
  execute: async ({ identifier_a, identifier_b }, { run }) => {
    const pair = { identifier_a, identifier_b };
    return await readPair(pair, async () => await readEndpointObject(run, api.partnership, pair));
  },
});

/** `GET /v1/partnerships/{partner_domain}/companies` */
export const getReversePartners = perItem({
  option: {
    name: 'Get Reverse Partners',
    value: 'getReversePartners',
    description:
      'List companies that name this company as a partner. Costs 1 credit per company, then free for 30 days.',
    action: 'Get reverse partners',
  },
  returns: 'domain, of_domain, company_name, industry, employee_range, country, last_seen_at',
  parameters: {
    partner_domain: parameter(
      {
        displayName: 'Partner Domain',
        name: 'partnerDomain',
        type: 'string',
        required: true,
        default: '',
        placeholder: 'e.g. example.com',
        description: 'Domain of the partner',
      },
      (value, name, place) => parseDomain(value, name, subdomains.read(place.in('options'))),
    ),
    ...companyRows,
    options: createOptions({
      ...fileOptions,
      header: summaryFields('the partner and how many companies name it'),
      ifNotFound,
      maxCredits,
      subdomains,
    }),
  },
  requestFieldsOf: ({ partner_domain }) => ({ partner_domain }),
  execute: async ({ partner_domain, include, ...parameters }, session) => {
    const list = toListing(session.run, api.reversePartners, { partner_domain, include });
    const ofDomain = parameters.simplify ? { of_domain: partner_domain } : {};
    return await outputRows(session, parameters, {
      ...list,
      pages: (range) => addToRows(list.pages(range), ofDomain),
      columns: [...list.columns, ...Object.keys(ofDomain)],
      name: `companies-naming-${partner_domain}`,
    });
  },
});

/** Adds fields to the rows of pages. */
async function* addToRows(pages: AsyncIterable<Page>, fields: Row): AsyncGenerator<Page> {
  for await (const page of pages) {
    yield { ...page, rows: page.rows.map((row) => ({ ...row, ...fields })) };
  }
}

/** `GET /v1/partnerships/{identifier_a}/{identifier_b}/shared-partners` */
export const getSharedPartners = perItem({
  option: {
    name: 'Get Shared Partners',
    value: 'getSharedPartners',
    description:
      'List shared partners of two partnered companies. Costs 1 credit per partner, then free for 30 days.',
    action: 'Get shared partners',
  },
  returns: 'domain, of_domain, company_name, partnership_count',
  parameters: {
    ...companyPair,
    wanted: chargedPaging,
    countOnly,
    simplify,
    options: createOptions({
      header: summaryFields('the two companies'),
      ifNotFound,
      maxCredits,
      offset,
      subdomains,
    }),
  },
  requestFieldsOf: describePair,
  execute: async ({ identifier_a, identifier_b, simplify: isFlat, ...parameters }, { run }) => {
    const requestFields = { identifier_a, identifier_b };
    return await createListingOutput(parameters, {
      read: async (range) =>
        await readPair(
          requestFields,
          async () => await readEndpointRows(run, api.sharedPartners, requestFields, range),
        ),
      requestFields,
      shape: createSharedPartnerShape(isFlat, requestFields),
      columns: isFlat ? listSharedPartnerColumns() : undefined,
    });
  },
});
