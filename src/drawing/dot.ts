import type { PartnerNetwork } from '../api/graphs';
import { simplify } from './simple-network';

/**
 * A partner network (interface: Graph) in Graphviz's language: undirected, node ids as the service
 * gives them; nodes carry `label`, `domain`, `slug`, `partnership_count` and `is_root`, roots have a
 * double border. Companies, partnerships and texts are cleaned as for the picture.
 */
export function toDot(network: PartnerNetwork): string {
  const { companies, partnerships } = simplify(network);
  const nodes = companies.map(({ id, name, domain, slug, partnershipCount, standing }) => {
    const root = standing === 'root';
    const attributes = [
      `label=${label(name)}`,
      `domain=${quoted(domain)}`,
      `slug=${quoted(slug)}`,
      `partnership_count=${quoted(String(partnershipCount))}`,
      `is_root=${quoted(String(root))}`,
      ...(root ? ['peripheries=2'] : []),
    ];
    return `  ${quoted(String(id))} [${attributes.join(', ')}];`;
  });
  const edges = partnerships.map(([a, b]) => {
    const ends = [companies[a], companies[b]].map((company) => quoted(String(company?.id)));
    return `  ${ends.join(' -- ')};`;
  });
  return ['graph partners {', ...nodes, ...edges, '}', ''].join('\n');
}

/** Graphviz reads `\N` and the like, and HTML's entities, in a label: neither is meant by a name. */
function label(text: string): string {
  return quoted(text.replace(/&(?=#?\w+;)/g, '&amp;'));
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
