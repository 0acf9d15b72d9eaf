import { z } from 'zod/v4';
import { FIXED_CHOICES } from '../../choices';
import { isWellFormedDomain, normalizeDomain, requireBatch } from '../../domains';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { errors, ServiceError } from '../../errors';
import { compile } from '../../lists/definition';
import { membersCsv, tierCounts, TIERS } from '../../lists/materialize';
import * as common from '../../schemas/common';
import * as schemas from '../../schemas/lists';
import { memberView } from '../../lists/views';

const members = endpoint({
  method: 'GET',
  path: '/v1/lists/{list_id}/members',
  query: z.object({
    limit: common.pageSize(FIXED_CHOICES.membersMaxLimit, FIXED_CHOICES.membersDefaultLimit),
    offset: common.integer(0).default(0),
    tier: z.enum(TIERS).optional(),
    search_name_or_domain: z.string().optional(),
    force_refresh: common.booleanText.default(false),
  }),
  responses: { 200: schemas.memberRows },
  handle({ service, user, charge }, { params, query }) {
    const { list } = service.lists.require(params.list_id, user, 'viewer');
    const { limit, offset } = query;
    const computed = service.membersOf(list, query.force_refresh);
    const text = query.search_name_or_domain?.trim().toLowerCase() ?? '';
    const found = computed.members.filter(
      ({ company, tier }) =>
        (query.tier === undefined || tier === query.tier) &&
        (company.nameLower.includes(text) || company.primaryDomain.includes(text)),
    );
    const rows = found.slice(offset, offset + limit);
    if (service.choices.membersCharged) charge(rows.map((member) => member.company.id));
    return answer.ok({
      members: rows.map(memberView),
      limit,
      offset,
      total_count: found.length,
      materialized_at: new Date(computed.at).toISOString(),
    });
  },
});

const materialize = endpoint({
  method: 'POST',
  path: '/v1/lists/{list_id}/materialize',
  responses: { 200: schemas.tierCountsSchema },
  handle({ service, user }, { params }) {
    const { list } = service.lists.require(params.list_id, user, 'viewer');
    return answer.ok(tierCounts(service.membersOf(list, true)));
  },
});

const exportCsv = endpoint({
  method: 'GET',
  path: '/v1/lists/{list_id}/export.csv',
  responses: { 200: 'text' },
  handle({ service, user, charge }, { params }) {
    const { list } = service.lists.require(params.list_id, user, 'viewer');
    const computed = service.membersOf(list, false);
    charge(computed.members.map((member) => member.company.id));
    return answer.ok(membersCsv(computed), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${list.id}.csv"`,
    });
  },
});

const addDomains = endpoint({
  method: 'POST',
  path: '/v1/lists/{list_id}/domains',
  body: schemas.domainsBody,
  responses: { 200: schemas.domainsAdded },
  handle({ service, user }, { params, body }) {
    const { list } = service.lists.require(params.list_id, user, 'editor');
    requireBatch(body.domains);
    const domains = [...new Set(body.domains.map(normalizeDomain))].map((domain) => {
      const company = service.world.resolveDomain(domain);
      if (!isWellFormedDomain(domain)) return { domain, status: 'rejected' };
      if (company === null) return { domain, status: 'not_tracked' };
      if (list.added.has(company.id)) return { domain, status: 'already_present' };
      list.added.add(company.id);
      list.excluded.delete(company.id);
      return { domain, status: 'added' };
    });
    const added = domains.filter(({ status }) => status === 'added').length;
    if (added > 0) {
      list.cache = null;
      service.recorder.created.domains += added;
      list.updatedAt = service.clock.now();
    }
    return answer.ok({ domains });
  },
});

const removeDomain = endpoint({
  method: 'DELETE',
  path: '/v1/lists/{list_id}/domains/{domain}',
  responses: { 204: 'empty' },
  handle({ service, user }, { params }) {
    const { list } = service.lists.require(params.list_id, user, 'editor');
    const domain = normalizeDomain(params.domain);
    if (!isWellFormedDomain(domain)) {
      throw new ServiceError(400, 'invalid_domain', `"${params.domain}" is not a domain.`);
    }
    const company = service.world.resolveDomain(domain);
    const isMember =
      company !== null &&
      service.membersOf(list, false).members.some((member) => member.company === company);
    if (!isMember) {
      throw errors.notFound('domain_not_found', `${domain} is not in this list.`);
    }
    list.added.delete(company.id);
    // Exclude a company that matches the filter; otherwise the next computation would add it again.
    if (compile(service, list.definition.root)(company)) list.excluded.add(company.id);
    list.cache = null;
    list.updatedAt = service.clock.now();
    return answer.deleted();
  },
});

export const memberEndpoints: Endpoint[] = [
  members,
  materialize,
  exportCsv,
  addDomains,
  removeDomain,
];
