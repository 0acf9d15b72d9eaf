import { UndirectedGraph } from 'graphology';

import type { PartnerNetwork } from '../service/graphs';
import { plainText } from './text';

type Node = PartnerNetwork['nodes'][number];

/**
 * How a company relates to the ones that were asked for: `root` was asked for, `shared` is a partner of
 * every root (where there are several), `partner` of at least one, `further` is any other.
 */
export type Standing = 'root' | 'shared' | 'partner' | 'further';

/** A company of a network, its texts cleaned, its place among the others known. */
export interface Company {
  /** Its name; where the service has none, its domain, else its id. */
  readonly name: string;
  readonly domain: string;
  readonly slug: string;
  readonly partnershipCount: number;
  readonly standing: Standing;
}

/** Companies by the service's ids, which are one line of text here; partnerships between them. */
export type CompanyGraph = UndirectedGraph<Company>;

/**
 * Reads an answer of the service (interface: Graph) as a simple graph. A node id that comes twice is
 * taken once; an edge that comes twice in either direction is one partnership; edges to unknown ids
 * and of a company with itself are left out.
 */
export function simplify({ nodes, edges, ...asked }: PartnerNetwork): CompanyGraph {
  const graph: CompanyGraph = new UndirectedGraph();
  for (const node of nodes) graph.mergeNode(keyOf(node.id), companyOf(node));
  for (const [a, b] of edges.map(({ source, target }) => [keyOf(source), keyOf(target)])) {
    if (a !== b && graph.hasNode(a) && graph.hasNode(b)) graph.mergeEdge(a, b);
  }
  const { root_company, root_companies = [] } = asked;
  const named = root_company === undefined ? root_companies : [root_company, ...root_companies];
  const marked = nodes.filter((node) => node.is_root).map((node) => node.id);
  const roots = [...new Set([...marked, ...named].map(keyOf))].filter((id) => graph.hasNode(id));
  graph.updateEachNodeAttributes((id, company) => {
    return { ...company, standing: standingOf(graph, roots, id) };
  });
  return graph;
}

function keyOf(id: Node['id']): string {
  return plainText(String(id));
}

function companyOf(node: Node): Company {
  const domain = plainText(node.primary_domain);
  return {
    name: plainText(node.name) || domain || `#${node.id}`,
    domain,
    slug: typeof node['slug'] === 'string' ? plainText(node['slug']) : '',
    partnershipCount: node.partnership_count,
    standing: 'further',
  };
}

function standingOf(graph: CompanyGraph, roots: string[], id: string): Standing {
  if (roots.includes(id)) return 'root';
  const links = roots.filter((root) => graph.areNeighbors(root, id)).length;
  if (links === 0) return 'further';
  return roots.length > 1 && links === roots.length ? 'shared' : 'partner';
}
