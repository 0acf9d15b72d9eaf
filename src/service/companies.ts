import { domainKey } from '../input/hosts';
import {
  readBatchResponse,
  type BatchResponse,
  type DomainOutcome,
} from '../run/responses/batch-response';
import { isJsonObject, type Row } from '../values/json';
import type { BatchesSpec, Run } from '../run/run';
import { listCompanyColumns, listFields, buildRequest } from './endpoint';
import { api } from './endpoints';

export type CompanySection = 'technologies' | 'partnerships' | 'firmographics';

export function listBulkCompanyFields(sections: readonly CompanySection[]): string[] {
  return [
    ...listCompanyColumns(['domain', 'status', 'name', 'slug'], sections.join()),
    // The service can also return the counts of sections that were not requested.
    'technology_count',
    'partnership_count',
    ...(sections.includes('partnerships') ? ['partnerships'] : []),
    // For a row that was not sent or is not tracked.
    'reason',
    'message',
  ];
}

export async function createFlag(
  run: Run,
  identifier: string,
  description: string | undefined,
): Promise<Row> {
  return await run.request({
    ...buildRequest(api.flag, { identifier }),
    body: description === undefined ? {} : { description },
    repeatable: false,
    read: ({ json }) => (isJsonObject(json) ? json : {}),
  });
}

export async function lookUpCompanies(
  run: Run,
  domains: readonly string[],
  include: readonly CompanySection[],
): Promise<BatchResponse> {
  return await run.request({
    ...buildRequest(api.bulkLookup, {}),
    body: { domains, include },
    repeatable: true,
    read: ({ json }) => {
      const response = readBatchResponse(json, 'data', domains);
      for (const domain of findNamedDomains(json, 'rejected_domains', domains))
        response.rejected.add(domain);
      for (const domain of findNamedDomains(json, 'domains_not_found', domains)) {
        if (!response.rows.has(domain))
          response.rows.set(domain, { domain, status: 'not_tracked' });
      }
      return response;
    },
  });
}

export function listEnrichmentFields(): string[] {
  return [...listFields(api.enrichment), 'reason', 'message'];
}

/** @param domains Normalized and distinct: the service drops malformed entries silently. */
export async function lookUpPartnerships(
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

export async function lookUpAllCompanies(
  run: Run,
  domains: readonly string[],
  include: readonly CompanySection[],
  creditsOf: BatchesSpec['creditsOf'],
): Promise<ReadonlyMap<string, DomainOutcome>> {
  const { outcomes } = await run.requestBatches({
    domains,
    endpoint: api.bulkLookup.path,
    request: async (part, batch) => await lookUpCompanies(part, batch, include),
    creditsOf,
  });
  return outcomes;
}

export function includesPartners(sections: readonly string[]): boolean {
  return sections.includes(api.bulkLookup.cost.openWith);
}

/**
 * The API spec does not show the elements of `rejected_domains` and `domains_not_found`: each can be a text,
 * or an object with the domain as one of its values.
 */
function findNamedDomains(json: unknown, key: string, requested: readonly string[]): string[] {
  const list = isJsonObject(json) && Array.isArray(json[key]) ? (json[key] as unknown[]) : [];
  const wanted = new Set(requested.map(domainKey));
  return list.flatMap((entry) => {
    const values = isJsonObject(entry) ? Object.values(entry) : [entry];
    const names = values.filter((value) => typeof value === 'string').map(domainKey);
    return names.find((name) => wanted.has(name)) ?? [];
  });
}
