import type { PartnerNetwork } from '../service/graphs';
import { simplify, type Company } from './network';
import { element, escapeXml } from './xml';

interface Attribute {
  readonly name: string;
  /** As GraphML names it. */
  readonly type: string;
  readonly of: (company: Company) => string;
}

const label: Attribute = { name: 'label', type: 'string', of: ({ name }) => name };

/** What each node carries. `label` is what Gephi and Graphviz write beside it. */
const attributes: Attribute[] = [
  label,
  { name: 'domain', type: 'string', of: ({ domain }) => domain },
  { name: 'slug', type: 'string', of: ({ slug }) => slug },
  {
    name: 'partnership_count',
    type: 'long',
    of: ({ partnershipCount }) => String(partnershipCount),
  },
  { name: 'is_root', type: 'boolean', of: ({ standing }) => String(standing === 'root') },
];
/** In DOT a node's name is its id. */
const inGraphml: Attribute[] = [...attributes, { ...label, name: 'name' }];

/**
 * A partner network (interface: Graph) as GraphML, which Gephi and yEd open: undirected, node ids as
 * the service gives them; nodes carry `label`, `name`, `domain`, `slug`, `partnership_count` and
 * `is_root`. Companies, partnerships and texts are cleaned as for the picture.
 */
export function toGraphml(network: PartnerNetwork): string {
  const companies = simplify(network);
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

/** The same in Graphviz's language, DOT; roots have a double border. */
export function toDot(network: PartnerNetwork): string {
  const companies = simplify(network);
  const nodes = companies.mapNodes((id, company) => {
    const values = attributes.map(({ name, of }) => `${name}=${quoted(of(company), name)}`);
    if (company.standing === 'root') values.push('peripheries=2');
    return `  ${quoted(id)} [${values.join(', ')}];`;
  });
  const edges = companies.mapEdges((_edge, _attributes, source, target) => {
    return `  ${quoted(source)} -- ${quoted(target)};`;
  });
  return ['graph partners {', ...nodes, ...edges, '}', ''].join('\n');
}

/** Graphviz reads `\N` and the like, and HTML's entities, in a label: neither is meant by a name. */
function quoted(text: string, name = ''): string {
  const plain = name === 'label' ? text.replace(/&(?=#?\w+;)/g, '&amp;') : text;
  return `"${plain.replace(/["\\]/g, '\\$&')}"`;
}
