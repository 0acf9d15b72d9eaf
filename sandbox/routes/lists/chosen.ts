import { z } from 'zod/v4';
import { isWellFormedDomain, normalizeDomain } from '../../domains';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { ServiceError } from '../../errors';
import { note } from '../../lists/store';
import * as common from '../../schemas/common';
import { companyReference } from '../../views/companies';
import { envelope } from '../../lists/views';

const rows = z.unknown();

/** List endpoints that the API spec mentions without paths (Lists, rule 5). Their paths are choices. */
export const chosenListEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}/definition/versions',
    chosen: true,
    responses: { 200: rows },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'viewer');
      const versions = [...list.definitions].reverse().map((definition) => ({
        version: definition.version,
        registry_version: definition.registry_version,
        root: definition.root,
        saved_at: new Date(definition.savedAt).toISOString(),
        saved_by: definition.savedBy,
      }));
      return answer.ok(envelope(service.choices, 'versions', versions));
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}/audit-log',
    chosen: true,
    responses: { 200: rows },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'viewer');
      const entries = [...list.audit].reverse().map(({ at, userId, action }) => ({
        occurred_at: new Date(at).toISOString(),
        user_id: userId,
        action,
      }));
      return answer.ok(envelope(service.choices, 'entries', entries));
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}/excluded-domains',
    chosen: true,
    responses: { 200: rows },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'viewer');
      const excluded = [...list.excluded].map((id) => ({
        domain: service.world.companies[id - 1]!.primaryDomain,
      }));
      return answer.ok(envelope(service.choices, 'excluded_domains', excluded));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/v1/lists/{list_id}/excluded-domains',
    chosen: true,
    body: z.object({ domains: common.domains }),
    responses: { 200: z.strictObject({ excluded: z.array(z.string()) }) },
    handle({ service, user }, { params, body }) {
      const { list } = service.lists.require(params.list_id, user, 'editor');
      const excluded: string[] = [];
      for (const domain of new Set(body.domains.map(normalizeDomain))) {
        const company = service.world.resolveDomain(domain);
        if (company === null) continue;
        list.added.delete(company.id);
        list.excluded.add(company.id);
        excluded.push(domain);
      }
      list.cache = null;
      note(list, user, `excluded ${excluded.length} domains`, service.clock.now());
      return answer.ok({ excluded });
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/v1/lists/{list_id}/excluded-domains/{domain}',
    chosen: true,
    responses: { 200: z.looseObject({ deleted: z.literal(true) }), 204: 'empty' },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'editor');
      const domain = normalizeDomain(params.domain);
      const company = isWellFormedDomain(domain) ? service.world.resolveDomain(domain) : null;
      if (company === null || !list.excluded.delete(company.id)) {
        throw new ServiceError(404, 'domain_not_found', `${domain} is not excluded.`);
      }
      list.cache = null;
      note(list, user, `no longer excludes ${domain}`, service.clock.now());
      return answer.deleted(service.choices, { deleted: true, domain });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists/company-search',
    chosen: true,
    query: z.object({ q: z.string().trim().min(1) }),
    responses: { 200: rows },
    handle({ service }, { query }) {
      const text = query.q.toLowerCase();
      const found = service.world.companies
        .filter(
          ({ nameLower, primaryDomain }) =>
            nameLower.includes(text) || primaryDomain.includes(text),
        )
        .slice(0, 20);
      return answer.ok(envelope(service.choices, 'companies', found.map(companyReference)));
    },
  }),
];
