import type { PartnerNetwork } from '../service/graphs';
import { toCompanyGraph, type Company } from './network';

/** Graphviz and Gephi show `label` next to the node. */
const ATTRIBUTES: Readonly<Record<string, (company: Company) => string>> = {
  label: ({ name }) => name,
  domain: ({ domain }) => domain,
  slug: ({ slug }) => slug,
  partnership_count: ({ partnershipCount }) => String(partnershipCount),
  is_root: ({ role }) => String(role === 'root'),
};

/** DOT is the language of Graphviz; roots have a double border. Texts are cleaned as for the picture. */
export function toDot(network: PartnerNetwork): string {
  const companies = toCompanyGraph(network);
  const nodes = companies.mapNodes((id, company) => {
    const values = Object.entries(ATTRIBUTES).map(
      ([name, of]) => `${name}=${quoteForDot(of(company), name)}`,
    );
    if (company.role === 'root') values.push('peripheries=2');
    return `  ${quoteForDot(id)} [${values.join(', ')}];`;
  });
  const edges = companies.mapEdges((_edge, _attributes, source, target) => {
    return `  ${quoteForDot(source)} -- ${quoteForDot(target)};`;
  });
  return ['graph partners {', ...nodes, ...edges, '}', ''].join('\n');
}

/** Graphviz interprets `\N` and HTML entities in labels, so both are escaped. */
function quoteForDot(text: string, name = ''): string {
  const plain = name === 'label' ? text.replace(/&(?=#?\w+;)/g, '&amp;') : text;
  return `"${plain.replace(/["\\]/g, '\\$&')}"`;
}
