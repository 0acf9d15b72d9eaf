import { z } from 'zod/v4';
import { isWellFormedDomain } from '../domains';
import { answer, endpoint, type Endpoint } from '../endpoint';
import { errors, ServiceError } from '../errors';
import { LIMITS } from '../limits';
import * as common from '../schemas/common';
import { technologySearch, technologyUsers, vendorUsers } from '../schemas/technologies';
import { searchTechnologies, technologyRow, userRow, vendorUserRow } from '../views/technologies';

const TECH_KEY = /^[a-z0-9-]+$/;

const usersQuery = z.object({
  page: common.page,
  limit: common.pageSize(LIMITS.evidencePageSize, LIMITS.evidenceDefault),
  include: common.includeFirmographics,
});

export const technologyEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/technologies',
    query: z.object({
      q: common.text(1, LIMITS.searchText),
      page: common.page,
      limit: common.pageSize(LIMITS.pageSize, LIMITS.technologySearchDefault),
    }),
    responses: { 200: technologySearch },
    handle({ service, pageOf }, { query }) {
      const found = searchTechnologies(service.world, query.q);
      const { rows, pagination } = pageOf(found, query);
      return answer.ok({ technologies: rows.map(technologyRow), pagination });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/technologies/{tech_key}/companies',
    query: usersQuery,
    responses: { 200: technologyUsers },
    handle({ service, charge, pageOf }, { params, query }) {
      const key = params.tech_key;
      if (!TECH_KEY.test(key)) {
        throw new ServiceError(
          400,
          'invalid_tech_key',
          'A tech_key has only lowercase letters, digits and hyphens.',
        );
      }
      const technology = service.world.technologyByKey.get(key);
      if (technology === undefined) {
        throw errors.notFound('technology_not_found', `No technology has the key ${key}.`);
      }
      const users = service.technologyUsers.usersOf(technology);
      const { rows, pagination } = pageOf(users, query);
      charge(rows.map((row) => row.position + 1));
      return answer.ok({
        technology: { ...technologyRow(technology), total_companies: users.length },
        data: rows.map((row) => userRow(service, row, query.include.length > 0)),
        pagination,
      });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/vendors/{domain}/companies',
    query: usersQuery,
    responses: { 200: vendorUsers },
    handle({ service, charge, pageOf }, { params, query }) {
      const domain = params.domain.trim().toLowerCase();
      if (!isWellFormedDomain(domain)) {
        throw new ServiceError(400, 'invalid_domain', `"${params.domain}" is not a domain.`);
      }
      const vendor = service.world.vendorByDomain.get(domain);
      if (vendor === undefined) {
        throw errors.notFound('vendor_not_found', `No vendor has the domain ${domain}.`);
      }
      const users = service.technologyUsers.usersOfVendor(vendor);
      const { rows, pagination } = pageOf(users, query);
      charge(rows.map((row) => row.position + 1));
      return answer.ok({
        vendor: {
          vendor_slug: vendor.slug,
          vendor_name: vendor.name,
          domain: vendor.domain,
          total_companies: users.length,
        },
        data: rows.map((row) => vendorUserRow(service, row, query.include.length > 0)),
        pagination,
      });
    },
  }),
];
