import { readBatchResponse, type BatchResponse } from '../run/responses/batch-response';
import type { Run } from '../run/run';
import { buildRequest, listFields } from './endpoint';
import { api } from './endpoints';

/** Also of a row that was not sent. */
export function listEnrichmentFields(): string[] {
  return [...listFields(api.enrichment), 'reason', 'message'];
}

/**
 * Requests the partners of up to 100 companies (API spec: Enrichment).
 *
 * @param domains Normalized and distinct: the service drops malformed entries silently.
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
