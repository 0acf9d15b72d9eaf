import { path } from '../client/call';
import { readBatchAnswer, type BatchAnswer } from '../run/answers/batch-answer';
import { listOf, nullable, nullish, number, object, oneOf, text } from '../run/answers/form';
import type { Row } from '../run/answers/rows';
import type { Run } from '../run/run';

export const ENRICH_PARTNERSHIPS_PATH = path`/v1/enrich/partnerships`;

const enrichmentResult = object({
  domain: text,
  status: oneOf('found', 'no_partnerships', 'not_tracked'),
  company_name: nullable(text),
  company_id: nullable(number),
  slug: nullable(text),
  partnerships: listOf(
    object({
      partner_name: text,
      partner_domain: nullish(text),
      partner_slug: nullish(text),
      first_observed_at: nullish(text),
      last_observed_at: nullish(text),
      observation_count: nullish(number),
    }),
  ),
  partnership_count: number,
});

/**
 * `POST /v1/enrich/partnerships`: partners of up to 100 companies (interface: Enrichment).
 *
 * @param domains normalized and distinct; the service drops malformed entries silently.
 * @throws {ServiceError} `batch_too_large`, `credit_exhausted` and the general ones.
 */
export async function enrichPartnerships(
  run: Run,
  domains: readonly string[],
): Promise<BatchAnswer> {
  return await run.request({
    method: 'POST',
    path: ENRICH_PARTNERSHIPS_PATH,
    body: { domains },
    repeatable: true,
    read: ({ json }) => readBatchAnswer(json, 'results', enrichmentResult, domains),
  });
}

/** Credits an enrichment result costs at most (interface: Credits): one if the company resolved. */
export function creditsOfEnrichment(row: Row): number {
  return row.status === 'not_tracked' ? 0 : 1;
}
