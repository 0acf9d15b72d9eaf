import { UndirectedGraph } from 'graphology';

import type { PartnerNetwork } from '../service/graphs';
import { toPlainText } from './text';

type Node = PartnerNetwork['nodes'][number];

/** `shared` is a partner of every root (if there are several), `partner` of at least one. */
export type CompanyRole = 'root' | 'shared' | 'partner' | 'further';

export interface Company {
  /** If the service has none, the domain or else the id. */
  readonly name: string;
  readonly domain: string;
  readonly partnershipCount: number;
  readonly role: CompanyRole;
}

type CompanyGraph = UndirectedGraph<Company>;

/**
 * Repeated node ids give one node, and repeated edges in either direction one partnership. Edges to unknown ids
 * and from a company to itself are omitted.
 */
export function toCompanyGraph({ nodes, edges, ...rest }: PartnerNetwork): CompanyGraph {
  const graph: CompanyGraph = new UndirectedGraph();
  for (const node of nodes) graph.mergeNode(toNodeKey(node.id), toCompany(node));
  for (const [a, b] of edges.map(({ source, target }) => [toNodeKey(source), toNodeKey(target)])) {
    if (a !== b && graph.hasNode(a) && graph.hasNode(b)) graph.mergeEdge(a, b);
  }
  const { root_company, root_companies = [] } = rest;
  const named = root_company === undefined ? root_companies : [root_company, ...root_companies];
  const marked = nodes.filter((node) => node.is_root).map((node) => node.id);
  const roots = [...new Set([...marked, ...named].map(toNodeKey))].filter((id) =>
    graph.hasNode(id),
  );
  graph.updateEachNodeAttributes((id, company) => {
    return { ...company, role: findRole(graph, roots, id) };
  });
  return graph;
}

function toNodeKey(id: Node['id']): string {
  return toPlainText(String(id));
}

function toCompany(node: Node): Company {
  const domain = toPlainText(node.primary_domain);
  return {
    name: toPlainText(node.name) || domain || `#${node.id}`,
    domain,
    partnershipCount: node.partnership_count,
    role: 'further',
  };
}

function findRole(graph: CompanyGraph, roots: string[], id: string): CompanyRole {
  if (roots.includes(id)) return 'root';
  const links = roots.filter((root) => graph.areNeighbors(root, id)).length;
  if (links === 0) return 'further';
  return roots.length > 1 && links === roots.length ? 'shared' : 'partner';
}
