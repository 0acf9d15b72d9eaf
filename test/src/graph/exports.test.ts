import { toDot } from '../../../src/graph/exports';
import { network } from './support';

const LINE = /^ {2}("(?:[^"\\]|\\.)*")(?: -- ("(?:[^"\\]|\\.)*")| \[(.*)\]);$/;
const ATTRIBUTE = /(\w+)=("(?:[^"\\]|\\.)*"|\d)/g;
const unquote = (text = '') => text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1');

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

it('contains all companies and partnerships with every attribute, and escapes entities', () => {
  const names = ['A & "B" <c>', 'D\\E', 'AT&amp;T', 'R&#68;', 'R&D', '\u0007', ''];
  const input = network(names, [[1, 2]], [136, 7]);
  input.nodes[0]!.primary_domain = 'company-"1".example';
  input.nodes[6]!.primary_domain = ' ';
  const { nodes, edges } = readDot(toDot(input));

  expect(nodes.slice(0, 2)).toEqual([
    {
      id: '1',
      label: 'A & "B" <c>',
      domain: 'company-"1".example',
      slug: 'company-1',
      partnership_count: '136',
      is_root: 'true',
      peripheries: '2',
    },
    expect.objectContaining({ id: '2', label: 'D\\E', is_root: 'false' }),
  ]);
  const labels = nodes.slice(2).map(({ label }) => label);
  expect(labels).toEqual(['AT&amp;amp;T', 'R&amp;#68;', 'R&D', 'company-6.example', '#7']);
  expect(edges).toEqual([['1', '2']]);
});
