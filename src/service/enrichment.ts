import type * as Zod from 'zod/v4';

import { lazy } from '../lazy';
import { readBatchResponse, type BatchResponse } from '../run/responses/batch-response';
import type { Run } from '../run/run';
import { buildRequest } from './endpoint';
import { api } from './endpoints';

const enrichmentResult = lazy(() => {
  const { z } = require('zod/v4') as typeof Zod;
  return z.looseObject({
    domain: z.string(),
    status: z.enum(['found', 'no_partnerships', 'not_tracked']),
    company_name: z.string().nullable(),
    company_id: z.number().nullable(),
    slug: z.string().nullable(),
    partnerships: z.array(
      z.looseObject({
        partner_name: z.string(),
        partner_domain: z.string().nullish(),
        partner_slug: z.string().nullish(),
        first_observed_at: z.string().nullish(),
        last_observed_at: z.string().nullish(),
        observation_count: z.number().nullish(),
      }),
    ),
    partnership_count: z.number(),
  });
});

/** Fields of an enrichment result, and of a row that was not sent. */
export const ENRICHMENT_FIELDS = [
  'domain',
  'status',
  'company_name',
  'company_id',
  'slug',
  'partnership_count',
  'partnerships',
  'reason',
  'message',
];

/**
 * Requests the partners of up to 100 companies with `POST /v1/enrich/partnerships` (API spec: Enrichment).
 *
 * @param domains the normalized, distinct domains; the service drops malformed entries silently.
 * @throws {ServiceError} `batch_too_large`, `credit_exhausted` or a general error, when refused.
 */
export async function enrichPartnerships(
  run: Run,
  domains: readonly string[],
): Promise<BatchResponse> {
  return await run.request({
    ...buildRequest(api.enrichment, {}),
    body: { domains },
    repeatable: true,
    read: ({ json }) => readBatchResponse(json, 'results', enrichmentResult(), domains),
  });
}
