import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../endpoint';
import * as common from '../schemas/common';

/** The API spec mentions `/v1/open/*` without paths (Lists, rule 7), so both of these are choices. */
export const openEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/open/status',
    chosen: true,
    responses: { 200: z.strictObject({ status: z.literal('ok') }) },
    handle: () => answer.ok({ status: 'ok' }),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/open/statistics',
    chosen: true,
    responses: {
      200: z.strictObject({
        companies: common.count,
        technologies: common.count,
        partnerships: common.count,
      }),
    },
    handle: ({ service: { world } }) =>
      answer.ok({
        companies: world.companies.length,
        technologies: world.technologies.filter((technology) => technology.active).length,
        partnerships: world.partnerships.length,
      }),
  }),
];
