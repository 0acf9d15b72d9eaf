import fc from 'fast-check';

import { toDot } from '../../../src/graph/exports';
import { toPlainText } from '../../../src/graph/text';
import { network, pairs } from './support';

const LINE = /^ {2}("(?:[^"\\]|\\.)*")(?: -- ("(?:[^"\\]|\\.)*")| \[(.*)\]);$/;
const ATTRIBUTE = /(\w+)=("(?:[^"\\]|\\.)*"|\d)/g;
const unquote = (text = '') => text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1');

/** Reads DOT back by the rules of its quoted strings. */
function readDot(dot: string) {
  const [head, ...lines] = dot.trimEnd().split('\n');
  expect([head, lines.pop()]).toEqual(['graph partners {', '}']);
  const nodes: Array<Record<string, string>> = [];
  const edges: string[][] = [];
  for (const line of lines) {
    const [, id, to, attributes = ''] = LINE.exec(line) ?? [];
    expect([line, id]).toEqual([line, expect.any(String)]);
    if (to !== undefined) edges.push([unquote(id), unquote(to)]);
    else {
      const found = [...attributes.matchAll(ATTRIBUTE)].map(([, key, value]) => [
        key,
        unquote(value),
      ]);
      nodes.push({ id: unquote(id), ...(Object.fromEntries(found) as Record<string, string>) });
    }
  }
  return { nodes, edges };
}

it('contains all companies and partnerships with every attribute', () => {
  const { nodes, edges } = readDot(toDot(network(['A & "B" <c>', 'D\\E'], [[1, 2]], [136, 7])));

  expect(nodes).toEqual([
    {
      id: '1',
      label: 'A & "B" <c>',
      domain: 'company-1.example',
      slug: 'company-1',
      partnership_count: '136',
      is_root: 'true',
      peripheries: '2',
    },
    expect.objectContaining({ id: '2', label: 'D\\E', is_root: 'false' }),
  ]);
  expect(edges).toEqual([['1', '2']]);
});

it('escapes entities in labels, and no others', () => {
  const labels = readDot(toDot(network(['AT&amp;T', 'R&#68;', 'R&D']))).nodes.map(
    ({ label }) => label,
  );

  expect(labels).toEqual(['AT&amp;amp;T', 'R&amp;#68;', 'R&D']);
});

it('omits repeated edges, self-edges and edges to unknown companies', () => {
  const messy = network(['A', 'B', 'C'], pairs('1-2 2-1 3-3 1-99'));

  expect(readDot(toDot(messy)).edges).toEqual([['1', '2']]);
});

it('can be parsed whatever the names are', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(
    fc.property(text, text, (name, domain) => {
      const input = network([name, 'B'], [[1, 2]]);
      input.nodes[0]!.primary_domain = domain;
      const { nodes, edges } = readDot(toDot(input));
      const shown = toPlainText(name) || toPlainText(domain) || '#1';
      expect(nodes[0]!['label']!.replaceAll('&amp;', '&')).toBe(shown.replaceAll('&amp;', '&'));
      expect(nodes[0]!['domain']).toBe(toPlainText(domain));
      expect(edges).toEqual([['1', '2']]);
    }),
  );
});
