import { z } from 'zod/v4';
import { enrichableDomains, requireBatch } from '../domains';
import { answer, endpoint, type Endpoint } from '../endpoint';
import * as common from '../schemas/common';
import { enrichmentResponse } from '../schemas/enrichment';
import { enrichmentPartnership, partnersOf, sortPartners } from '../views/partners';

export const enrichmentEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/v1/enrich/partnerships',
    body: z.object({ domains: common.domains }),
    responses: { 200: enrichmentResponse },
    handle({ service, charge }, { body }) {
      requireBatch(body.domains);
      const resolved: number[] = [];
      let withPartnerships = 0;
      const results = enrichableDomains(body.domains).map((domain) => {
        const company = service.world.resolveDomain(domain);
        const partners = company === null ? [] : partnersOf(service.world, company);
        if (company !== null) resolved.push(company.id);
        if (partners.length > 0) withPartnerships += 1;
        return {
          domain,
          status:
            company === null ? 'not_tracked' : partners.length > 0 ? 'found' : 'no_partnerships',
          company_name: company?.name ?? null,
          company_id: company?.id ?? null,
          slug: company?.slug ?? null,
          partnerships: sortPartners(partners).map(enrichmentPartnership),
          partnership_count: partners.length,
        };
      });
      charge(resolved);
      return answer.ok({
        results,
        total_domains_requested: results.length,
        domains_found: resolved.length,
        domains_with_partnerships: withPartnerships,
      });
    },
  }),
];
