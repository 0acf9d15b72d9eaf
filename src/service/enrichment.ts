import { readBatchResponse, type BatchResponse } from '../run/responses/batch-response';
import type { Run } from '../run/run';
import { buildRequest, listFields } from './endpoint';
import { api } from './endpoints';

/** Returns the fields of an enrichment result, and of a row that was not sent. */
export function listEnrichmentFields(): string[] {
  return [...listFields(api.enrichment), 'reason', 'message'];
}

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
    read: ({ json }) => readBatchResponse(json, 'results', domains),
  });
}
