import { z } from 'zod/v4';
import { FIXED_CHOICES } from '../../choices';
import { isWellFormedDomain, normalizeDomain } from '../../domains';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { errors, ServiceError } from '../../errors';
import { compile } from '../../lists/match';
import { membersCsv, tierCounts, TIERS } from '../../lists/materialize';
import { activeDefinition, note } from '../../lists/store';
import * as common from '../../schemas/common';
import * as schemas from '../../schemas/lists';
import { envelope, memberView, membersBeside } from '../../lists/views';
import { boundedLimit } from '../../views/page';

const members = endpoint({
  method: 'GET',
  path: '/v1/lists/{list_id}/members',
  query: z.object({
    limit: common.integer(1).default(FIXED_CHOICES.membersDefaultLimit),
    offset: common.integer(0).default(0),
    tier: z.enum(TIERS).optional(),
    search_name_or_domain: z.string().optional(),
    force_refresh: common.booleanText.default(false),
  }),
  responses: { 200: schemas.memberRows },
  handle({ service, user, charge }, { params, query }) {
    const { list } = service.lists.require(params.list_id, user, 'viewer');
    const { choices } = service;
    const limit = boundedLimit(query.limit, choices.membersMaxLimit, choices);
    const computed = service.membersOf(list, query.force_refresh);
    const text = query.search_name_or_domain?.trim().toLowerCase() ?? '';
    const found = computed.members.filter(
      ({ company, tier }) =>
        (query.tier === undefined || tier === query.tier) &&
        (company.nameLower.includes(text) || company.primaryDomain.includes(text)),
    );
    const rows = found.slice(query.offset, query.offset + limit);
    if (choices.membersCharged) charge(rows.map((member) => member.company.id));
    const beside = membersBeside(choices, {
      total: found.length,
      limit,
      offset: query.offset,
      materializedAt: computed.at,
    });
    return answer.ok(envelope(choices, 'members', rows.map(memberView), beside));
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
    return answer.csv(membersCsv(computed), `${list.id}.csv`);
  },
});

const addDomains = endpoint({
  method: 'POST',
  path: '/v1/lists/{list_id}/domains',
  body: schemas.domainsBody,
  responses: { 200: schemas.domainsAdded },
  handle({ service, user }, { params, body }) {
    const { list } = service.lists.require(params.list_id, user, 'editor');
    const outcome = {
      added: [] as string[],
      already_present: [] as string[],
      not_tracked: [] as string[],
      rejected: [] as string[],
    };
    for (const domain of new Set(body.domains.map(normalizeDomain))) {
      const company = service.world.resolveDomain(domain);
      if (!isWellFormedDomain(domain)) outcome.rejected.push(domain);
      else if (company === null) outcome.not_tracked.push(domain);
      else if (list.added.has(company.id)) outcome.already_present.push(domain);
      else {
        list.added.add(company.id);
        list.excluded.delete(company.id);
        outcome.added.push(domain);
      }
    }
    if (outcome.added.length > 0) {
      list.cache = null;
      service.recorder.count('domains', outcome.added.length);
      note(list, user, `added ${outcome.added.length} domains`, service.clock.now());
    }
    return answer.ok(outcome);
  },
});

const removeDomain = endpoint({
  method: 'DELETE',
  path: '/v1/lists/{list_id}/domains/{domain}',
  responses: { 200: schemas.deletedBody, 204: 'empty' },
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
    if (compile(service, activeDefinition(list).root)(company)) list.excluded.add(company.id);
    list.cache = null;
    note(list, user, `removed ${domain}`, service.clock.now());
    return answer.deleted(service.choices, { deleted: true, domain });
  },
});

export const memberEndpoints: Endpoint[] = [
  members,
  materialize,
  exportCsv,
  addDomains,
  removeDomain,
];
