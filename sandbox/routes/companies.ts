import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../endpoint';
import { errors } from '../errors';
import * as common from '../schemas/common';
import { bulkResponse, company } from '../schemas/companies';
import { bulkLookup } from '../views/bulk';
import { companyView } from '../views/companies';

const section = 'Companies';

export const companyEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/companies/{identifier}',
    section,
    summary: 'Look up a company by domain or slug',
    params: z.object({ identifier: z.string() }),
    query: z.object({
      include: common.commaSeparated(['technologies', 'firmographics']).default([]),
    }),
    body: null,
    responses: { 200: company },
    refusals: { 404: 'company_not_found' },
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
    section,
    summary: 'Look up many companies by domain',
    params: common.nothing,
    query: common.nothing,
    body: z.object({
      domains: z.array(z.string()).min(1),
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
];
