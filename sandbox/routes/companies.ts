import { z } from 'zod/v4';
import { PARTNERSHIP_TYPES } from '../data/partnerships';
import { answer, endpoint, type Endpoint } from '../endpoint';
import { errors } from '../errors';
import { LIMITS } from '../limits';
import * as common from '../schemas/common';
import { bulkResponse, company } from '../schemas/companies';
import { bulkLookup } from '../views/bulk';
import { companyView } from '../views/companies';
import { COMPANY_SORTS, listCompanies } from '../views/companyList';

export const companyEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/companies/{identifier}',
    query: z.object({
      include: common.commaSeparated(['technologies', 'firmographics']).default([]),
    }),
    responses: { 200: company },
    handle({ service, charge }, { params, query }) {
      const found = service.world.resolve(params.identifier);
      if (found === null) throw errors.companyNotFound(params.identifier);
      charge([found.id]);
      return answer.ok(companyView(service, found, query.include));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/v1/companies',
    body: z.object({
      domains: common.domains,
      include: z.array(z.enum(['technologies', 'partnerships', 'firmographics'])).default([]),
    }),
    responses: { 200: bulkResponse },
    handle({ service, account, charge }, { body }) {
      const { response, chargedIds } = bulkLookup(
        service,
        body.domains,
        body.include,
        account.batchCeiling,
      );
      charge(chargedIds);
      return answer.ok(response);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/companies',
    query: z.object({
      q: z.string().optional(),
      partner_with: z.string().optional(),
      partnership_types: common.commaSeparated(PARTNERSHIP_TYPES).optional(),
      partner_count_min: common.integer(0).optional(),
      partner_count_max: common.integer(0).optional(),
      has_partner_page: common.booleanText.optional(),
      sort: z.enum(COMPANY_SORTS).default('-partnership_count'),
      page: common.page,
      limit: common.pageSize(LIMITS.pageSize),
      include: common.includeFirmographics,
    }),
    responses: { 200: common.paged(company) },
    handle({ service, charge, pageOf }, { query }) {
      const found = listCompanies(service, query);
      const { rows, pagination } = pageOf(found, query);
      charge(rows.map((row) => row.id));
      return answer.ok({
        data: rows.map((row) => companyView(service, row, query.include)),
        pagination,
      });
    },
  }),
];
