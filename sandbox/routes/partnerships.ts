import { z } from 'zod/v4';
import type { Company } from '../data/companies';
import { PARTNERSHIP_TYPES } from '../data/partnerships';
import { toTimestamp } from '../data/time';
import type { World } from '../data/world';
import { normalizeDomain } from '../domains';
import { answer, endpoint, type Endpoint } from '../endpoint';
import { errors } from '../errors';
import { LIMITS } from '../limits';
import * as common from '../schemas/common';
import * as schemas from '../schemas/partnerships';
import { companyReference, firmographics, partnershipCount } from '../views/companies';
import { companyGraph, pairGraph } from '../views/graph';
import {
  listedBy,
  PARTNER_SORTS,
  partnerRow,
  partnershipBetween,
  partnershipDetail,
  partnersOf,
  sharedPartners,
  sortPartners,
  typeCounts,
} from '../views/partners';

const pageQuery = { page: common.page, limit: common.pageSize(LIMITS.pageSize) };
const maxNodes = common.pageSize(LIMITS.graphNodes, LIMITS.graphNodesDefault);

function resolve(world: World, identifier: string): Company {
  const company = world.resolve(identifier);
  if (company === null) throw errors.companyNotFound(identifier);
  return company;
}

interface Pair {
  readonly identifier_a: string;
  readonly identifier_b: string;
}

function resolvePair(world: World, pair: Pair): [Company, Company] {
  return [resolve(world, pair.identifier_a), resolve(world, pair.identifier_b)];
}

function requirePartnership(world: World, a: Company, b: Company) {
  const link = partnershipBetween(world, a, b);
  if (link === null) {
    throw errors.notFound('partnership_not_found', `${a.name} and ${b.name} are not partners.`);
  }
  return link;
}

const partners = endpoint({
  method: 'GET',
  path: '/v1/companies/{identifier}/partnerships',
  query: z.object({
    q: z.string().optional(),
    partnership_types: common.commaSeparated(PARTNERSHIP_TYPES).optional(),
    sort: z.enum(PARTNER_SORTS).default('-last_observed_at'),
    ...pageQuery,
  }),
  responses: { 200: schemas.partnerList },
  handle({ service, charge, pageOf }, { params, query }) {
    const { world } = service;
    const company = resolve(world, params.identifier);
    const all = partnersOf(world, company);
    const text = query.q?.trim().toLowerCase() ?? '';
    const types = query.partnership_types ?? [];
    const found = all.filter(
      (partner) =>
        partner.company.nameLower.includes(text) &&
        (types.length === 0 || types.includes(partner.link.type)),
    );
    const { rows, pagination } = pageOf(sortPartners(found, query.sort), query);
    charge(rows.map((partner) => partner.company.id));
    return answer.ok({
      data: rows.map(partnerRow),
      pagination,
      company: {
        ...companyReference(company),
        partnership_count: partnershipCount(world, company),
      },
      type_counts: typeCounts(all),
    });
  },
});

const reverse = endpoint({
  method: 'GET',
  path: '/v1/partnerships/{partner_domain}/companies',
  query: z.object({ ...pageQuery, include: common.includeFirmographics }),
  responses: { 200: schemas.reverseList },
  handle({ service, charge, pageOf }, { params, query }) {
    const { world } = service;
    const partner = world.resolveDomain(normalizeDomain(params.partner_domain));
    if (partner === null) {
      throw errors.notFound('partner_not_found', `No partner has ${params.partner_domain}.`);
    }
    const listing = sortPartners(listedBy(world, partner));
    const { rows, pagination } = pageOf(listing, query);
    charge(rows.map((row) => row.company.id));
    return answer.ok({
      partner: {
        name: partner.name,
        domain: partner.primaryDomain,
        total_companies: listing.length,
      },
      data: rows.map(({ company, link }) => ({
        ...companyReference(company),
        first_seen_at: toTimestamp(link.firstObserved),
        last_seen_at: toTimestamp(link.lastObserved),
        observation_count: link.observations,
        ...(query.include.length > 0 ? { firmographics: firmographics(service, company) } : {}),
      })),
      pagination,
    });
  },
});

const pair = endpoint({
  method: 'GET',
  path: '/v1/partnerships/{identifier_a}/{identifier_b}',
  responses: { 200: schemas.partnershipDetail },
  handle({ service, charge }, { params }) {
    const [a, b] = resolvePair(service.world, params);
    const link = requirePartnership(service.world, a, b);
    charge([a.id, b.id]);
    return answer.ok(partnershipDetail(service.world, a, b, link));
  },
});

const shared = endpoint({
  method: 'GET',
  path: '/v1/partnerships/{identifier_a}/{identifier_b}/shared-partners',
  query: z.object(pageQuery),
  responses: { 200: schemas.sharedPartnerList },
  handle({ service, charge, pageOf }, { params, query }) {
    const { world } = service;
    const [a, b] = resolvePair(world, params);
    requirePartnership(world, a, b);
    const { rows, pagination } = pageOf(sharedPartners(world, a, b), query);
    charge(rows.map((company) => company.id));
    return answer.ok({
      data: rows.map((company) => ({
        ...companyReference(company),
        partnership_count: partnershipCount(world, company),
      })),
      pagination,
      company_a: companyReference(a),
      company_b: companyReference(b),
    });
  },
});

const graph = endpoint({
  method: 'GET',
  path: '/v1/companies/{identifier}/partnerships/graph',
  query: z.object({
    depth: common.integer(1, LIMITS.graphDepth).default(1),
    max_nodes: maxNodes,
  }),
  responses: { 200: schemas.companyGraph },
  handle({ service, charge }, { params, query }) {
    const root = resolve(service.world, params.identifier);
    const network = companyGraph(service.world, root, query.depth, query.max_nodes);
    charge(network.nodes.filter((node) => !node.is_root).map((node) => node.id));
    return answer.ok({ root_company: root.id, ...network });
  },
});

const graphOfPair = endpoint({
  method: 'GET',
  path: '/v1/partnerships/{identifier_a}/{identifier_b}/graph',
  query: z.object({ max_nodes: maxNodes }),
  responses: { 200: schemas.pairGraph },
  handle({ service, charge }, { params, query }) {
    const [a, b] = resolvePair(service.world, params);
    if (a === b) throw errors.invalidRequest('path: give two different companies');
    const network = pairGraph(service.world, a, b, query.max_nodes);
    charge(network.nodes.filter((node) => !node.is_root).map((node) => node.id));
    return answer.ok({ root_companies: [a.id, b.id], ...network });
  },
});

export const partnershipEndpoints: Endpoint[] = [
  partners,
  reverse,
  pair,
  shared,
  graph,
  graphOfPair,
];
