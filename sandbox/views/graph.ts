import type { z } from 'zod/v4';
import type { Company } from '../data/companies';
import type { World } from '../data/world';
import type * as schemas from '../schemas/partnerships';
import { byConnections, partnersOf, sharedPartners } from './partners';

type Graph = Omit<z.output<typeof schemas.companyGraph>, 'root_company'>;

/**
 * Returns the network around a company: the company, its partners, and with depth 2 also their
 * partners. The most connected companies come first, up to `maxNodes` nodes including the root.
 */
export function companyGraph(world: World, root: Company, depth: number, maxNodes: number): Graph {
  const chosen = new Map([[root.id, root]]);
  let ring: Company[] = [root];
  for (let distance = 1; distance <= depth; distance += 1) {
    const next = new Map<number, Company>();
    for (const member of ring) {
      for (const { company } of partnersOf(world, member)) {
        if (!chosen.has(company.id)) next.set(company.id, company);
      }
    }
    ring = takeInto(chosen, [...next.values()].sort(byConnections(world)), maxNodes);
  }
  return graphOf(world, [...chosen.values()], [root]);
}

/**
 * Returns the network around two companies: both, then their shared partners, then the partners of
 * either.
 */
export function pairGraph(world: World, a: Company, b: Company, maxNodes: number): Graph {
  const chosen = new Map([
    [a.id, a],
    [b.id, b],
  ]);
  takeInto(chosen, sharedPartners(world, a, b), maxNodes);
  const others = [...partnersOf(world, a), ...partnersOf(world, b)].map(({ company }) => company);
  takeInto(chosen, others.sort(byConnections(world)), maxNodes);
  return graphOf(world, [...chosen.values()], [a, b]);
}

function takeInto(
  chosen: Map<number, Company>,
  candidates: readonly Company[],
  maxNodes: number,
): Company[] {
  const taken: Company[] = [];
  for (const company of candidates) {
    if (chosen.size >= maxNodes) break;
    if (chosen.has(company.id)) continue;
    chosen.set(company.id, company);
    taken.push(company);
  }
  return taken;
}

/** Returns the nodes, and each partnership between two of them once. */
function graphOf(world: World, companies: readonly Company[], roots: readonly Company[]): Graph {
  const ids = new Set(companies.map((company) => company.id));
  const edges: Graph['edges'] = [];
  for (const company of companies) {
    for (const { link } of partnersOf(world, company)) {
      const [source, target] = [link.a + 1, link.b + 1];
      if (source === company.id && ids.has(target)) edges.push({ source, target });
    }
  }
  return {
    nodes: companies.map((company) => ({
      id: company.id,
      name: company.name,
      primary_domain: company.primaryDomain,
      partnership_count: world.partnershipsOf[company.id - 1]!.length,
      is_root: roots.includes(company),
      ...(company.slug === null ? {} : { slug: company.slug }),
    })),
    edges,
  };
}
