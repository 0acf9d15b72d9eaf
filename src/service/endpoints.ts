import { LIMITS } from '../input/limits';
import type { Row } from '../values/json';
import type { Endpoint, QueryParameter, RowsEndpoint } from './endpoint';
import * as texts from './lists/error-texts';

const TEXT = { is: 'text' } as const satisfies QueryParameter;
const NUMBER = { is: 'number' } as const satisfies QueryParameter;
const BOOLEAN = { is: 'boolean' } as const satisfies QueryParameter;
const TIER = { is: 'text', oneOf: ['high', 'medium', 'exploratory'] } as const;
const PARTNERSHIP_TYPES = { is: 'text', oneOf: ['technology', 'channel', 'generic'] } as const;
const INCLUDE_FIRMOGRAPHICS = { is: 'text', oneOf: ['firmographics'] } as const;
const MAX_NODES = { is: 'number', max: 100, usual: 50 } as const;

const PAGE = { max: 100 } as const;
const LONG_PAGE = { max: 10_000, usual: 50 } as const;
/** The API spec shows no largest `limit` for members; it is at least 100 for all other lists. */
const PAGE_BY_OFFSET = { by: 'offset', max: 100 } as const;
/** The API spec shows no paging for these lists, but its standard envelope has one (Conventions, rule 4). */
const PAGE_IF_SHOWN = { by: 'response', max: 100 } as const;

const FREE = { per: 'request', credits: 0 } as const;
const PER_ROW = { per: 'row' } as const;

/** An endpoint of one list that costs nothing. */
const OF_LIST = { cost: FREE, errorTexts: texts.ofList } as const;

const COMPANY_IDS = ['slug', 'primary_domain'];
const PARTNER_IDS = ['partner_slug', 'partner_domain'];

/** 1 for the company, and 1 for each partner returned with it. */
export function countCompanyCredits(row: Row): number {
  if (row.status === 'not_tracked') return 0;
  return 1 + (Array.isArray(row.partnerships) ? row.partnerships.length : 0);
}

export function countEnrichmentCredits(row: Row): number {
  return row.status === 'not_tracked' ? 0 : 1;
}

/** In the order of the API spec. Operations, prices, page sizes, columns and checks are read from here. */
export const api = {
  // Companies
  company: {
    method: 'GET',
    path: '/v1/companies/{identifier}',
    query: { include: { is: 'text', oneOf: ['technologies', 'firmographics'] } },
    cost: { per: 'request', credits: 1 },
    row: 'company',
    response: 'companyResponse',
  },
  bulkLookup: {
    method: 'POST',
    path: '/v1/companies',
    cost: { per: 'domain', rows: 'data', of: countCompanyCredits, openWith: 'partnerships' },
    response: 'bulkLookup',
  },
  refresh: {
    method: 'POST',
    path: '/v1/companies/refresh',
    cost: FREE,
    response: 'refresh',
  },
  job: { method: 'GET', path: '/v1/jobs/{job_id}', cost: FREE, response: 'job' },
  companies: {
    method: 'GET',
    path: '/v1/companies',
    query: {
      q: TEXT,
      partner_with: TEXT,
      partnership_types: PARTNERSHIP_TYPES,
      partner_count_min: NUMBER,
      partner_count_max: NUMBER,
      has_partner_page: BOOLEAN,
      sort: {
        is: 'text',
        oneOf: ['partnership_count', '-partnership_count', 'name', '-name'],
        usual: '-partnership_count',
      },
      include: INCLUDE_FIRMOGRAPHICS,
    },
    page: PAGE,
    ids: COMPANY_IDS,
    cost: PER_ROW,
    row: 'company',
    response: 'companies',
  },

  // Data flags
  flag: {
    method: 'POST',
    path: '/v1/companies/{identifier}/flags',
    cost: FREE,
    response: 'createdFlag',
  },

  // Technologies and vendors
  technologies: {
    method: 'GET',
    path: '/v1/technologies',
    query: { q: { is: 'text', required: true, min: 1, max: LIMITS.technologyQueryLength } },
    rows: 'technologies',
    page: { max: 100, usual: 20 },
    ids: ['tech_key'],
    cost: FREE,
    row: 'technology',
    response: 'technologies',
  },
  technologyUsers: {
    method: 'GET',
    path: '/v1/technologies/{tech_key}/companies',
    query: { include: INCLUDE_FIRMOGRAPHICS },
    page: LONG_PAGE,
    ids: COMPANY_IDS,
    cost: PER_ROW,
    row: 'user',
    response: 'technologyUsers',
  },
  vendorUsers: {
    method: 'GET',
    path: '/v1/vendors/{domain}/companies',
    query: { include: INCLUDE_FIRMOGRAPHICS },
    page: LONG_PAGE,
    ids: COMPANY_IDS,
    cost: PER_ROW,
    row: 'vendorUser',
    response: 'vendorUsers',
  },

  // Partnerships
  partners: {
    method: 'GET',
    path: '/v1/companies/{identifier}/partnerships',
    query: {
      q: TEXT,
      partnership_types: PARTNERSHIP_TYPES,
      sort: {
        is: 'text',
        oneOf: ['last_observed_at', 'first_observed_at', 'observation_count'].flatMap((field) => [
          field,
          `-${field}`,
        ]),
        usual: '-last_observed_at',
      },
    },
    page: PAGE,
    ids: PARTNER_IDS,
    alsoId: 'partnership_type',
    cost: PER_ROW,
    row: 'partner',
    response: 'partners',
  },
  reversePartners: {
    method: 'GET',
    path: '/v1/partnerships/{partner_domain}/companies',
    query: { include: INCLUDE_FIRMOGRAPHICS },
    page: PAGE,
    ids: COMPANY_IDS,
    cost: PER_ROW,
    row: 'reversePartner',
    response: 'reversePartners',
  },
  partnership: {
    method: 'GET',
    path: '/v1/partnerships/{identifier_a}/{identifier_b}',
    cost: { per: 'request', credits: 2 },
    response: 'partnership',
  },
  sharedPartners: {
    method: 'GET',
    path: '/v1/partnerships/{identifier_a}/{identifier_b}/shared-partners',
    page: PAGE,
    ids: [...PARTNER_IDS, ...COMPANY_IDS],
    alsoId: 'partnership_type',
    cost: PER_ROW,
    row: 'sharedPartner',
    response: 'sharedPartners',
  },
  companyGraph: {
    method: 'GET',
    path: '/v1/companies/{identifier}/partnerships/graph',
    query: { depth: { is: 'number', min: 1, max: 2, usual: 1 }, max_nodes: MAX_NODES },
    cost: {
      per: 'node',
      atMost: (nodes: number) => nodes - 1,
      of: (nodes: number) => Math.max(0, nodes - 1),
    },
    response: 'graph',
  },
  pairGraph: {
    method: 'GET',
    path: '/v1/partnerships/{identifier_a}/{identifier_b}/graph',
    query: { max_nodes: MAX_NODES },
    // The two companies are always in the graph and count.
    cost: {
      per: 'node',
      atMost: (nodes: number) => Math.max(2, nodes),
      of: (nodes: number) => nodes,
    },
    response: 'graph',
  },

  // Enrichment
  enrichment: {
    method: 'POST',
    path: '/v1/enrich/partnerships',
    cost: { per: 'domain', rows: 'results', of: countEnrichmentCredits },
    row: 'enrichment',
    response: 'enrichments',
  },

  // Lists
  createList: { method: 'POST', path: '/v1/lists', cost: FREE, response: 'savedList' },
  lists: {
    method: 'GET',
    path: '/v1/lists',
    rows: { names: ['lists'], groups: ['my_lists', 'shared_with_me'] },
    page: PAGE_IF_SHOWN,
    ids: ['list_id', 'id'],
    cost: FREE,
    response: 'anyJson',
  },
  list: { method: 'GET', path: '/v1/lists/{list_id}', ...OF_LIST, response: 'savedList' },
  renameList: { method: 'PATCH', path: '/v1/lists/{list_id}', ...OF_LIST, response: 'anyBody' },
  deleteList: { method: 'DELETE', path: '/v1/lists/{list_id}', ...OF_LIST, response: 'anyBody' },
  filterFields: { method: 'GET', path: '/v1/lists/filter-fields', cost: FREE, response: 'anyJson' },
  previewCount: {
    method: 'POST',
    path: '/v1/lists/preview-count',
    cost: FREE,
    errorTexts: () => texts.DEFINITION_REFUSED,
    response: 'previewCount',
  },
  definition: {
    method: 'GET',
    path: '/v1/lists/{list_id}/definition',
    ...OF_LIST,
    response: 'anyJson',
  },
  replaceDefinition: {
    method: 'PUT',
    path: '/v1/lists/{list_id}/definition',
    cost: FREE,
    errorTexts: texts.ofDefinition,
    response: 'anyBody',
  },
  members: {
    method: 'GET',
    path: '/v1/lists/{list_id}/members',
    query: {
      tier: TIER,
      search_name_or_domain: TEXT,
      force_refresh: { is: 'boolean', firstPageOnly: true },
    },
    rows: { names: ['members', 'companies'], groups: TIER.oneOf, groupField: 'tier' },
    page: PAGE_BY_OFFSET,
    ids: [
      ...['company_id', 'member_id', 'id', 'slug', 'primary_domain', 'domain'],
      ...['company_slug', 'company_domain', 'website'],
    ],
    idsIn: 'company',
    cost: PER_ROW,
    errorTexts: texts.ofMembers,
    response: 'anyJson',
  },
  materialize: {
    method: 'POST',
    path: '/v1/lists/{list_id}/materialize',
    cost: FREE,
    errorTexts: texts.ofMembers,
    response: 'memberCounts',
  },
  exportMembers: {
    method: 'GET',
    path: '/v1/lists/{list_id}/export.csv',
    ...OF_LIST,
    cost: { per: 'line' },
    response: 'anyBody',
  },
  addDomains: {
    method: 'POST',
    path: '/v1/lists/{list_id}/domains',
    ...OF_LIST,
    response: 'anyBody',
  },
  removeDomain: {
    method: 'DELETE',
    path: '/v1/lists/{list_id}/domains/{domain}',
    cost: FREE,
    errorTexts: texts.ofDomain,
    response: 'anyBody',
  },
  permissions: {
    method: 'GET',
    path: '/v1/lists/{list_id}/permissions',
    ...OF_LIST,
    rows: { names: ['permissions'], groups: ['users', 'org_wide', 'viewers', 'editors'] },
    page: PAGE_IF_SHOWN,
    ids: ['permission_id', 'id'],
    response: 'anyJson',
  },
  grantAccess: {
    method: 'POST',
    path: '/v1/lists/{list_id}/permissions',
    cost: FREE,
    errorTexts: texts.ofListUser,
    response: 'anyBody',
  },
  revokeAccess: {
    method: 'DELETE',
    path: '/v1/lists/{list_id}/permissions/{permission_id}',
    cost: FREE,
    errorTexts: texts.ofPermission,
    response: 'anyBody',
  },
  transferOwnership: {
    method: 'POST',
    path: '/v1/lists/{list_id}/owner',
    cost: FREE,
    errorTexts: texts.ofListUser,
    response: 'anyBody',
  },
} as const satisfies Record<string, Endpoint | RowsEndpoint>;
