import fc from 'fast-check';

import { toDot, toGraphml } from '../../../src/graph/exports';
import { toPlainText } from '../../../src/graph/text';
import { all, network, pairs, parseXml, type Parsed } from './support';

/** Loads Graphviz itself. */
const graphviz = async () => (await import('@viz-js/viz')).instance();

/** A network read back from an exported file. */
interface Read {
  readonly nodes: Array<Record<string, string>>;
  readonly edges: Array<[string, string]>;
}

function readGraphml(xml: string): Read {
  const root = parseXml(xml);
  const of = (name: string): Parsed[] => all(root, (element: Parsed) => element.name === name);
  const keys = of('key').map(({ attributes }) => attributes);
  const names = new Map(keys.map((key) => [key['id']!, key['attr.name']!]));
  return {
    nodes: of('node').map(({ attributes, children }) => ({
      id: attributes['id']!,
      ...Object.fromEntries(
        children.map((data) => [names.get(data.attributes['key']!)!, data.text]),
      ),
    })),
    edges: of('edge').map(({ attributes }) => [attributes['source']!, attributes['target']!]),
  };
}

const two = network(['A & "B" <c>', "D'E"], [[1, 2]], [136, 7]);
const read: Read = {
  nodes: two.nodes.map(({ id, name, primary_domain, slug, partnership_count, is_root }) => ({
    id: String(id),
    label: name,
    domain: primary_domain,
    slug: String(slug),
    partnership_count: String(partnership_count),
    is_root: String(is_root),
  })),
  edges: [['1', '2']],
};
describe('GraphML', () => {
  it('declares each attribute with its type, and an undirected graph', () => {
    const root = parseXml(toGraphml(network(['A'])));
    const keys = all(root, ({ name }) => name === 'key').map(({ attributes }) => attributes);
    const types = keys.map((key) => [key['attr.name'], key['attr.type']]);
    expect(Object.fromEntries(types)).toEqual({
      label: 'string',
      name: 'string',
      domain: 'string',
      slug: 'string',
      partnership_count: 'long',
      is_root: 'boolean',
    });
    expect(root.attributes['xmlns']).toBe('http://graphml.graphdrawing.org/xmlns');
    expect(root.children.at(-1)!.attributes['edgedefault']).toBe('undirected');
  });

  it('contains all companies and partnerships', () => {
    expect(readGraphml(toGraphml(two))).toEqual({
      ...read,
      nodes: read.nodes.map((node) => ({ ...node, name: node['label'] })),
    });
  });
});

describe('DOT', () => {
  it('keeps every attribute when Graphviz reads it', async () => {
    expect(await readDot(toDot(two))).toEqual(read);
  });

  it('shows names unchanged when they contain Graphviz escapes, entities or quotes', async () => {
    const escapes = ['\\N', 'AT&amp;T', 'R&#68;', 'R&D', 'ends with \\'];
    const names = [...escapes, '"; evil -- node; "', '<b>x</b>'];
    const viz = await graphviz();
    const svg = parseXml(viz.renderString(toDot(network(names)), { format: 'svg' }));
    const shown = all(svg, ({ name }) => name === 'text').map(({ text }) => text);
    expect(shown.map((text) => text.replaceAll('\u00A0', ' '))).toEqual(names);
  });
});

describe('GraphML and DOT', () => {
  const messy = network(['A', 'B', 'C'], pairs('1-2 2-1 3-3 1-99'));

  it('omit repeated edges, self-edges and edges to unknown companies', async () => {
    expect(readGraphml(toGraphml(messy)).edges).toEqual([['1', '2']]);
    expect((await readDot(toDot(messy))).edges).toEqual([['1', '2']]);
  });

  it('can be parsed whatever the names are', async () => {
    const code = fc.oneof(fc.nat({ max: 0xff }), fc.nat({ max: 0xffff }));
    const codes = fc.array(code, { maxLength: 20 });
    const units = codes.map((some) => String.fromCharCode(...some));
    await fc.assert(
      fc.asyncProperty(units, units, async (name, domain) => {
        const input = network([name, 'B'], [[1, 2]]);
        input.nodes[0]!.primary_domain = domain;
        const expected = toPlainText(name) || toPlainText(domain) || '#1';
        const graphml = readGraphml(toGraphml(input));
        expect(graphml.nodes.map((node) => node['name'])).toEqual([expected, 'B']);
        expect(graphml.nodes[0]!['domain']).toBe(toPlainText(domain));
        const dot = await readDot(toDot(input));
        expect(dot.nodes).toHaveLength(2);
        expect(dot.edges).toEqual([['1', '2']]);
      }),
      { numRuns: 50 },
    );
  });
});

/** Reads DOT with Graphviz itself. */
async function readDot(dot: string): Promise<Read> {
  const viz = await graphviz();
  const result = viz.renderJSON(dot) as {
    objects: Array<Record<string, string | number>>;
    edges?: Array<{ tail: number; head: number }>;
  };
  const wanted = ['label', 'domain', 'slug', 'partnership_count', 'is_root'];
  return {
    nodes: result.objects.map((object) => ({
      id: String(object['name']),
      ...Object.fromEntries(wanted.map((key) => [key, String(object[key])])),
    })),
    edges: (result.edges ?? []).map(({ tail, head }) => [
      String(result.objects[tail]!['name']),
      String(result.objects[head]!['name']),
    ]),
  };
}
