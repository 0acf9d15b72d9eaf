import type { PartnerNetwork } from '../api/graphs';
import { simplify, type Company } from './simple-network';
import { element, escapeXml } from './xml';

/** What each node carries. `label` is what Gephi writes beside a node. */
const attributes: Array<{ name: string; type: string; of: (company: Company) => string }> = [
  { name: 'label', type: 'string', of: ({ name }) => name },
  { name: 'name', type: 'string', of: ({ name }) => name },
  { name: 'domain', type: 'string', of: ({ domain }) => domain },
  { name: 'slug', type: 'string', of: ({ slug }) => slug },
  {
    name: 'partnership_count',
    type: 'long',
    of: ({ partnershipCount }) => String(partnershipCount),
  },
  { name: 'is_root', type: 'boolean', of: ({ standing }) => String(standing === 'root') },
];

/**
 * A partner network (interface: Graph) as GraphML, which Gephi and yEd open: undirected, node ids as
 * the service gives them; nodes carry `label`, `name`, `domain`, `slug`, `partnership_count` and
 * `is_root`. Companies, partnerships and texts are cleaned as for the picture.
 */
export function toGraphml(network: PartnerNetwork): string {
  const { companies, partnerships } = simplify(network);
  const keys = attributes.map(({ name, type }) => {
    return element('key', { id: name, for: 'node', 'attr.name': name, 'attr.type': type });
  });
  const nodes = companies.map((company) => {
    const data = attributes.map(({ name, of }) =>
      element('data', { key: name }, escapeXml(of(company))),
    );
    return element('node', { id: String(company.id) }, ...data);
  });
  const edges = partnerships.map(([a, b], index) => {
    const [source, target] = [companies[a], companies[b]].map((company) => String(company?.id));
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
