import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../endpoint';
import { LIMITS } from '../limits';
import * as common from '../schemas/common';
import { technologySearch } from '../schemas/technologies';
import { boundedLimit, pageOf } from '../views/page';
import { searchTechnologies, technologyRow } from '../views/technologies';

const section = 'Technologies and vendors';

export const technologyEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/technologies',
    section,
    summary: 'Search technologies by technology or vendor name',
    params: common.nothing,
    query: z.object({
      q: z.string().min(1).max(LIMITS.searchText),
      page: common.page,
      limit: common.pageSize(LIMITS.pageSize, LIMITS.technologySearchDefault),
    }),
    body: null,
    responses: { 200: technologySearch },
    handle({ service, pageUrl }, { query }) {
      const limit = boundedLimit(query.limit, LIMITS.pageSize, service.choices);
      const found = searchTechnologies(service.world, query.q);
      const { rows, pagination } = pageOf(found, { page: query.page, limit }, pageUrl);
      return answer.ok({ technologies: rows.map(technologyRow), pagination });
    },
  }),
];
