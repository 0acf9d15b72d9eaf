import type { PartnerNetwork } from '../service/graphs';
import { toCompanyGraph, type Company } from './network';
import { element, escapeXml } from './xml';

/** An attribute of a node in the exported files. */
interface Attribute {
  readonly name: string;
  /** The type in GraphML. */
  readonly type: string;
  readonly of: (company: Company) => string;
}

const label: Attribute = { name: 'label', type: 'string', of: ({ name }) => name };

/** The attributes of each node. Gephi and Graphviz show `label` next to the node. */
const attributes: Attribute[] = [
  label,
  { name: 'domain', type: 'string', of: ({ domain }) => domain },
  { name: 'slug', type: 'string', of: ({ slug }) => slug },
  {
    name: 'partnership_count',
    type: 'long',
    of: ({ partnershipCount }) => String(partnershipCount),
  },
  { name: 'is_root', type: 'boolean', of: ({ role }) => String(role === 'root') },
];
/** GraphML has `name` in addition; in DOT, a node's name is its id. */
const inGraphml: Attribute[] = [...attributes, { ...label, name: 'name' }];

/**
 * Converts a partner network (API spec: Graph) to GraphML, which Gephi and yEd can open. The graph is
 * undirected, node ids are those of the service, and nodes have `label`, `name`, `domain`, `slug`,
 * `partnership_count` and `is_root`. Companies, partnerships and texts are cleaned as for the picture.
 */
export function toGraphml(network: PartnerNetwork): string {
  const companies = toCompanyGraph(network);
  const keys = inGraphml.map(({ name, type }) => {
    return element('key', { id: name, for: 'node', 'attr.name': name, 'attr.type': type });
  });
  const nodes = companies.mapNodes((id, company) => {
    const data = inGraphml.map(({ name, of }) =>
      element('data', { key: name }, escapeXml(of(company))),
    );
    return element('node', { id }, ...data);
  });
  const edges = companies.edges().map((edge, index) => {
    const [source, target] = companies.extremities(edge);
    return element('edge', { id: `e${index}`, source, target });
  });
  const graph = element('graph', { id: 'partners', edgedefault: 'undirected' }, ...nodes, ...edges);
  const root = element(
    'graphml',
    { xmlns: 'http://graphml.graphdrawing.org/xmlns' },
    ...keys,
    graph,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** Converts a partner network to DOT, the language of Graphviz; roots have a double border. */
export function toDot(network: PartnerNetwork): string {
  const companies = toCompanyGraph(network);
  const nodes = companies.mapNodes((id, company) => {
    const values = attributes.map(({ name, of }) => `${name}=${quoted(of(company), name)}`);
    if (company.role === 'root') values.push('peripheries=2');
    return `  ${quoted(id)} [${values.join(', ')}];`;
  });
  const edges = companies.mapEdges((_edge, _attributes, source, target) => {
    return `  ${quoted(source)} -- ${quoted(target)};`;
  });
  return ['graph partners {', ...nodes, ...edges, '}', ''].join('\n');
}

/** Quotes a text for DOT. Graphviz interprets `\N` and HTML entities in labels, so both are escaped. */
function quoted(text: string, name = ''): string {
  const plain = name === 'label' ? text.replace(/&(?=#?\w+;)/g, '&amp;') : text;
  return `"${plain.replace(/["\\]/g, '\\$&')}"`;
}
