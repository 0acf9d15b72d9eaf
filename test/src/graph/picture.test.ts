import fc from 'fast-check';

import type { PartnerNetwork } from '../../../src/service/graphs';
import { drawNetwork } from '../../../src/graph/picture';
import type * as Picture from '../../../src/graph/picture';
import { drawPictures } from '../../../src/graph/picture-thread';
import { measureWidth } from '../../../src/graph/text';
import { all, collisions, network, pairs, readPicture, type Parsed } from './support';

const draw = (input: PartnerNetwork, bundledFontOnly = false) =>
  readPicture(drawNetwork(input, bundledFontOnly));

const names = (size: number): string[] =>
  Array.from({ length: size }, (_, index) => {
    const firsts = ['Eastvale', 'Quartzbranch', 'Fox', 'International', 'Ōkami', 'Ελλάς'];
    const seconds = ['Insurance', 'Ltd', 'Consulting & Sons', 'Gåsö', '', 'Веб Студия'];
    return `${firsts[index % 6]} ${seconds[(index * 5 + (index % 7)) % 6]} ${index}`;
  });
const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index + 1);

describe('drawNetwork', () => {
  it('draws every company and every partnership once', () => {
    const messy = network(['A', 'B', 'C'], pairs('1-2 2-1 1-2 3-3 2-3 1-99'));
    const { nodes, labels, edges } = draw(messy);
    expect(nodes.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(labels.map(({ lines }) => lines)).toEqual([['A'], ['B'], ['C']]);
    expect(edges.map((ends) => ends.join('-')).sort()).toEqual(['1-2', '2-3']);
  });

  it('draws edges below circles, and circles below labels with a filled background', () => {
    const { root, backgrounds, labels } = draw(network(['A', 'Eastvale Insurance'], pairs('1-2')));
    const order = root.children.map(({ attributes }) => attributes['class']).filter(Boolean);
    expect(order).toEqual(['edges', 'nodes', 'backgrounds', 'labels']);
    const lines = labels.flatMap(({ boxes }) => boxes);
    expect(backgrounds).toHaveLength(3);
    lines.forEach((line, index) => {
      expect(backgrounds[index]!.left).toBeLessThanOrEqual(line.left);
      expect(backgrounds[index]!.right).toBeGreaterThanOrEqual(line.right);
    });
  });

  it.each([
    ['a root that the node names', true, {}, [true, false, false], 'A'],
    ['a pair of roots', false, { root_companies: [1, 3] }, [true, false, true], 'A and C'],
  ])('marks only %s with a ring and a bold label', (_what, isNamed, roots, marked, title) => {
    const { nodes, edges } = network(['A', 'B', 'C'], pairs('1-2 2-3'));
    const given = nodes.map((node) => ({ ...node, is_root: isNamed && node.is_root }));
    const drawn = draw({ nodes: given, edges, ...roots });
    expect(drawn.nodes.map(({ ring }) => ring)).toEqual(marked);
    expect(drawn.labels.map(({ bold }) => bold)).toEqual(marked);
    expect(drawn.title).toBe(`Partner network of ${title}`);
  });

  const pair = {
    ...network(['A', 'B', 'Of both', 'Of A', 'Far'], pairs('1-2 1-3 2-3 1-4 4-5')),
    root_companies: [1, 2],
  };

  it('distinguishes shared partners of a pair from partners of one company and from all others', () => {
    const { root, texts } = draw(pair);
    const kinds = all(root, ({ attributes }) => attributes['data-id'] !== undefined)
      .map(({ attributes }) => attributes['class'])
      .filter((name) => name !== undefined);
    const [shared, ...others] = ['node shared', 'node partner', 'node further'];
    expect(kinds).toEqual(['node root', 'node root', shared, ...others]);
    expect(texts).toEqual(expect.arrayContaining(['queried company', 'shared partner']));
  });

  it('makes a small picture wide enough for the whole legend', () => {
    const { root, width } = draw(pair);
    const isLegend = ({ name, children }: Parsed) => name === 'text' && children[0]?.text === '◉';
    const widths = all(root, isLegend)[0]!.children.map(({ text, attributes }) => {
      const size = Number(attributes['font-size'] ?? 13);
      return Number(attributes['dx']) + measureWidth(text, { size, bold: false });
    });
    expect(widths).toHaveLength(8);
    expect(widths.reduce((sum, one) => sum + one)).toBeLessThan(width - 64);
  });

  it('draws a larger circle for more partners, within bounds', () => {
    const counts = [0, 1, 4, 100, 10_000, 1_000_000];
    const radii = draw(network(names(6), [], counts)).nodes.map(({ radius }) => radius);
    expect(radii).toEqual([...new Set(radii)].sort((a, b) => a - b));
    expect(radii[0]).toBeGreaterThan(3);
    expect(radii.at(-1)).toBeLessThan(40);
  });

  it('shows the size of a network, and explains only symbols that occur', () => {
    const { texts } = draw(network(['Acme', 'B'], pairs('1-2')));
    expect(texts.join()).toMatch(/2 companies, 1 partnership;.*direct partner/);
    expect(texts.join()).not.toMatch(/further company|shared partner/);
  });

  it('shortens a long name in its label, but not in its tooltip', () => {
    const long = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz Beratung GmbH';
    const { labels, nodes, width } = draw(network([long, 'B']));
    expect(labels[0]!.lines.join()).toMatch(/^Rindfleisch.*…/);
    expect(nodes[0]!.tip).toBe(`${long} · company-1.example · 1 partner`);
    expect(width).toBe(draw(network(['A', 'B'])).width);
  });

  it.each(['a', 'b ', 'é', '😀'])('shortens names of 100,000 times %j', (sign) => {
    const input = network([sign.repeat(100_000), 'B'], pairs('1-2'));
    input.nodes[1]!.primary_domain = sign.repeat(100_000);
    expect(drawNetwork(input).length).toBeLessThan(10_000);
  });

  it('writes names with markup and emoji as text, in well-formed XML', () => {
    const evil = `</text><script>"'&amp;]]> 😀`;
    const input = network([evil, 'B']);
    Object.assign(input.nodes[1]!, { id: evil, primary_domain: evil });
    const { root, nodes, title } = draw(input);

    expect(title).toBe(`Partner network of ${evil}`);
    expect(nodes[1]?.id).toBe(evil);
    expect(nodes.map(({ tip }) => tip)).toEqual(Array(2).fill(expect.stringContaining(evil)));
    expect(all(root, ({ name }) => name === 'script')).toEqual([]);
  });

  it('returns the same text each time the same network is drawn', () => {
    const edges = range(39).map((n): [number, number] => [1 + (n % 5), n + 1]);
    const input = network(names(40), edges);
    const first = drawNetwork(structuredClone(input));
    expect(drawNetwork(input)).toBe(first);
    // A fresh copy of all modules, as in another process.
    jest.isolateModules(() => {
      const copy = jest.requireActual<typeof Picture>('../../../src/graph/picture');
      expect(copy.drawNetwork(input)).toBe(first);
    });
  });

  it('uses only characters of the bundled font on request', () => {
    const input = network(['日本語会社', 'Rocket 🚀 Ltd', 'שלום']);
    expect(draw(input, true).labels.map(({ lines }) => lines.join(' '))).toEqual([
      expect.stringMatching(/^company-1/),
      'Rocket Ltd',
      'שלום',
    ]);
    expect(draw(input).labels[0]!.lines).toEqual(['日本語会社']);
  });
});

describe('the layout', () => {
  type Edges = Array<[number, number]>;
  const hundred = (edges: (n: number) => Edges) => network(names(100), range(100).flatMap(edges));
  const shapes: Record<string, PartnerNetwork> = {
    'no company': network([]),
    'a star of 100': hundred((n) => [[1, n]]),
    'a chain of 100': hundred((n) => [[n, n + 1]]),
    '100 partners of each other': hundred((a) => range(a - 1).map((b) => [a, b])),
  };

  it.each(Object.entries(shapes))('has no overlap and nothing outside for %s', (_what, input) => {
    const picture = draw(input);
    expect(picture.nodes).toHaveLength(input.nodes.length);
    expect(picture.labels).toHaveLength(input.nodes.length);
    expect(collisions(picture)).toEqual([]);
  });

  it('has no overlap and nothing outside for random networks', () => {
    const position = fc.integer({ min: 1, max: 40 });
    const anyEdges = fc.array(fc.tuple(position, position), { maxLength: 80 });
    const count = fc.integer({ min: -5, max: 1e9 });
    const anyCounts = fc.array(count, { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(position, anyEdges, anyCounts, (size, edges, counts) => {
        expect(collisions(draw(network(names(size), edges, counts)))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('drawPictures', () => {
  const [one, other] = [
    network(['<b>Acme & "Co" 😀', 'Globex']),
    network(['Initech', 'Hooli', 'Umbrella']),
  ];

  it('draws several networks requested at the same time, each separately', async () => {
    const drawn = await Promise.all([one, other, one].map(drawPictures));

    expect(drawn.map(({ svg }) => svg)).toEqual([one, other, one].map((each) => drawNetwork(each)));
    for (const { png } of drawn) expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
  });

  it('draws the next network after one that cannot be drawn', async () => {
    await expect(drawPictures({} as never)).rejects.toThrow('nodes is not iterable');

    await expect(drawPictures(one)).resolves.toMatchObject({ svg: drawNetwork(one) });
  });
});
