import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../endpoint';

/** The API spec mentions `/v1/open/*` without paths (Lists, rule 7), so this one is a choice. */
export const openEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/open/status',
    responses: { 200: z.strictObject({ status: z.literal('ok') }) },
    handle: () => answer.ok({ status: 'ok' }),
  }),
];
