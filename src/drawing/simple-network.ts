import type { PartnerNetwork } from '../api/graphs';
import { plainText } from './text';

type NodeId = PartnerNetwork['nodes'][number]['id'];

/**
 * How a company relates to the ones that were asked for: `root` was asked for, `shared` is a partner of
 * every root (where there are several), `partner` of at least one, `further` is any other.
 */
export type Standing = 'root' | 'shared' | 'partner' | 'further';

/** A company of a network, its texts cleaned, its place among the others known. */
export interface Company {
  readonly id: NodeId;
  /** Its name; where the service has none, its domain, else its id. */
  readonly name: string;
  readonly domain: string;
  readonly slug: string;
  readonly partnershipCount: number;
  readonly standing: Standing;
}

/** Two positions in `companies`, the smaller first. */
export type Partnership = readonly [number, number];

/** A network as a simple graph: every company once, every partnership once. */
export interface SimpleNetwork {
  readonly companies: Company[];
  readonly partnerships: Partnership[];
}

/**
 * Reads an answer of the service (interface: Graph) as a simple graph. A node id that comes twice is
 * taken once; an edge that comes twice in either direction is one partnership; edges to unknown ids
 * and of a company with itself are left out.
 */
export function simplify(network: PartnerNetwork): SimpleNetwork {
  const nodes = [...new Map(network.nodes.map((node) => [node.id, node])).values()];
  const positions = new Map(nodes.map((node, position) => [node.id, position]));
  const partnerships = new Map<string, Partnership>();
  for (const { source, target } of network.edges) {
    const a = positions.get(source);
    const b = positions.get(target);
    if (a === undefined || b === undefined || a === b) continue;
    const pair = a < b ? ([a, b] as const) : ([b, a] as const);
    partnerships.set(pair.join(), pair);
  }
  const edges = [...partnerships.values()];
  const roots = rootIds(network);
  const rootPositions = nodes.flatMap((node, position) => (roots.has(node.id) ? [position] : []));
  const standings = standingsOf(nodes.length, edges, rootPositions);
  return {
    companies: nodes.map((node, position) => {
      const domain = plainText(node.primary_domain);
      return {
        id: typeof node.id === 'string' ? plainText(node.id) : node.id,
        name: plainText(node.name) || domain || `#${node.id}`,
        domain,
        slug: typeof node['slug'] === 'string' ? plainText(node['slug']) : '',
        partnershipCount: node.partnership_count,
        standing: standings[position] ?? 'further',
      };
    }),
    partnerships: edges,
  };
}

/** For each position, the positions of its partners. */
export function neighbours(size: number, partnerships: Partnership[]): number[][] {
  const partners = Array.from({ length: size }, (): number[] => []);
  for (const [a, b] of partnerships) {
    partners[a]?.push(b);
    partners[b]?.push(a);
  }
  return partners;
}

function rootIds({ nodes, root_company, root_companies = [] }: PartnerNetwork): Set<NodeId> {
  const marked = nodes.filter((node) => node.is_root).map((node) => node.id);
  return new Set([
    ...marked,
    ...root_companies,
    ...(root_company === undefined ? [] : [root_company]),
  ]);
}

function standingsOf(size: number, edges: Partnership[], roots: number[]): Standing[] {
  const isRoot = new Set(roots);
  return neighbours(size, edges).map((partners, position) => {
    if (isRoot.has(position)) return 'root';
    const links = partners.filter((partner) => isRoot.has(partner)).length;
    if (links === 0) return 'further';
    return roots.length > 1 && links === roots.length ? 'shared' : 'partner';
  });
}
