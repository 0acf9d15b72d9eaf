/** Partner Graph, networks: size, depth and output formats. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { connectedPair, hubs, type Pair } from '../shared/partners';
import { sentTo, useSandbox } from '../shared/service';
import { running, textOfFile } from '../shared/nodes';
import { errorItemOf } from '../shared/error-items';

const NAME = 'Partner Graph';
const partnerGraph = running('partnerGraph', NAME);

const sandbox = useSandbox();
let hub: string;
let pair: Pair;
beforeAll(() => {
  [hub = ''] = hubs(sandbox);
  pair = connectedPair(sandbox);
});

const getGraph = async (parameters: INodeParameters = {}) =>
  await partnerGraph(sandbox, { operation: 'getGraph', identifier: hub, ...parameters });
const getPairGraph = async (parameters: INodeParameters = {}) =>
  await partnerGraph(sandbox, {
    operation: 'getPairGraph',
    identifierA: pair.a,
    identifierB: pair.b,
    ...parameters,
  });

const sent = () => sentTo(sandbox).map(({ path, query }) => [path, query]);

interface Graph {
  nodes: IDataObject[];
  edges: IDataObject[];
}

it('Get Graph requests the depth and size of each item', async () => {
  const run = await partnerGraph(
    sandbox,
    {
      operation: 'getGraph',
      identifier: '={{ $json.company }}',
      depth: '={{ $json.depth }}',
      maxNodes: '={{ $json.nodes }}',
    },
    [
      { company: hub, depth: 2, nodes: 100 },
      { company: hub, depth: '1', nodes: '1' },
    ],
  );
  const path = `/v1/companies/${hub}/partnerships/graph`;

  // Both requests are in flight at the same time, so either can arrive first.
  expect(sent()).toHaveLength(2);
  expect(sent()).toEqual(
    expect.arrayContaining([
      [path, { depth: '2', max_nodes: '100' }],
      [path, { depth: '1', max_nodes: '1' }],
    ]),
  );
  expect(run.json(NAME).map((json) => (json as unknown as Graph).nodes.length)).toEqual([100, 1]);
  // The company whose network is requested is free.
  expect(sandbox.report().charged).toBe(99);
});

it.each<[string, INodeParameters, RegExp]>([
  ['depth 3', { depth: 3 }, /"Depth" must be a whole number from 1 to 2, not "3"/],
  ['0 companies', { maxNodes: 0 }, /"Max Nodes" must be a whole number from 1 to 100, not "0"/],
  ['an unknown output format', { graphOutput: 'pdf' }, /"Format" has the invalid value "pdf"/],
])('refuses %s before anything is sent', async (_what, parameters, message) => {
  expect((await getGraph(parameters)).error?.message).toMatch(message);
  if (!('depth' in parameters)) {
    expect((await getPairGraph(parameters)).error?.message).toMatch(message);
  }
  expect(sandbox.report().requests).toBe(0);
});

describe.each([
  ['Get Graph', getGraph, () => [hub]],
  ['Get Pair Graph', getPairGraph, () => [pair.a, pair.b]],
] as const)('%s', (_title, get, companies) => {
  const draw = async (graphOutput: string) => {
    const run = await get({ maxNodes: 8, graphOutput });
    expect(run.error).toBeUndefined();
    return run;
  };
  const graph = async () => (await draw('single')).json(NAME)[0] as unknown as Graph;
  const nameOfFile = () => companies().join('-');

  it('outputs one linked item per node, then one per edge, with the same columns', async () => {
    const { nodes, edges } = await graph();
    const run = await draw('rows');
    const rows = run.json(NAME);

    expect(edges.length).toBeGreaterThan(0);
    expect(rows).toHaveLength(nodes.length + edges.length);
    expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
    const domainOf = (id: unknown) => nodes.find((node) => node['id'] === id)?.['primary_domain'];
    const nameOf = (id: unknown) => nodes.find((node) => node['id'] === id)?.['name'];
    expect(rows).toMatchObject([
      ...nodes.map((node) => ({ type: 'node', ...node, source_domain: '' })),
      ...edges.map(({ source, target }) => ({
        type: 'edge',
        source,
        target,
        source_domain: domainOf(source),
        source_name: nameOf(source),
        target_domain: domainOf(target),
        target_name: nameOf(target),
        primary_domain: '',
      })),
    ]);
    expect(run.output(NAME).map(({ pairedItem }) => pairedItem)).toEqual(
      Array.from({ length: rows.length }, () => ({ item: 0 })),
    );
  });

  it('outputs a DOT file named after the companies', async () => {
    const { nodes, edges } = await graph();
    const run = await draw('dot');
    const [item] = run.output(NAME);

    expect(run.json(NAME)).toMatchObject([{ node_count: nodes.length, edge_count: edges.length }]);
    expect(Object.values(run.json(NAME)[0] ?? {})).toEqual(expect.arrayContaining(companies()));
    expect(Object.keys(item?.binary ?? {})).toEqual(['data']);
    expect(item?.binary?.['data']).toMatchObject({
      fileName: `${nameOfFile()}.dot`,
      mimeType: 'text/vnd.graphviz',
    });
    expect(textOfFile(item)).toMatch(/^graph partners \{/);
  });

  it('outputs a PNG and an SVG when Format is Picture', async () => {
    const [item] = (await draw('picture')).output(NAME);
    const { data, svg } = item?.binary ?? {};

    expect(data).toMatchObject({
      fileName: `${nameOfFile()}.png`,
      mimeType: 'image/png',
      fileType: 'image',
    });
    expect(textOfFile(item).slice(1, 4)).toBe('PNG');
    expect(svg).toMatchObject({ fileName: `${nameOfFile()}.svg`, mimeType: 'image/svg+xml' });
    expect(textOfFile(item, 'svg')).toContain('<svg');
  });
});

it('outputs every format without an error or a cost when a company has no partners', async () => {
  const { companies, partnershipsOf } = sandbox.world;
  const alone = companies.find(({ id }) => partnershipsOf[id - 1]?.length === 0);
  const forms = ['single', 'rows', 'dot', 'picture'];
  const run = await partnerGraph(
    sandbox,
    {
      operation: 'getGraph',
      identifier: alone?.primaryDomain ?? '',
      graphOutput: '={{ $json.form }}',
    },
    forms.map((form) => ({ form })),
  );

  expect(run.error).toBeUndefined();
  expect(run.traced()).toEqual([0, 1, 2, 3]);
  expect(sandbox.report().charged).toBe(0);
});

it('fails to draw an invalid graph, but outputs it unchanged as One Item', async () => {
  sandbox.addFault({
    preset: 'setField',
    options: { field: 'edges', value: 'none' },
    when: 'every',
  });
  const run = await partnerGraph(
    sandbox,
    { operation: 'getGraph', identifier: hub, graphOutput: '={{ $json.form }}' },
    [{ form: 'single' }, { form: 'picture' }],
    { onError: 'continueErrorOutput' },
  );

  expect(run.json(NAME, 0)).toMatchObject([{ edges: 'none' }]);
  expect(run.json(NAME, 1)).toMatchObject([
    {
      form: 'picture',
      ...errorItemOf(
        'invalid_response',
        expect.stringContaining('The response is not a graph: edges'),
      ),
    },
  ]);
});

it('outputs the type and dates of an edge when the service returns them', async () => {
  const edge = { source: 1, target: 2, type: 'channel', first_observed_at: '2026-01-01T00:00:00Z' };
  sandbox.addFault({ preset: 'setField', options: { field: 'edges', value: [edge] } });
  const rows = (await getGraph({ graphOutput: 'rows' })).json(NAME);

  expect(rows.at(-1)).toMatchObject({
    type: 'edge',
    partnership_type: 'channel',
    first_observed_at: edge.first_observed_at,
  });
  expect(rows[0]).toMatchObject({ type: 'node', partnership_type: '', first_observed_at: '' });
});

it.each([
  ['company A', 'nowhere.example', undefined, /track Company A, "nowhere.example"/],
  ['company B', undefined, 'nowhere.example', /track Company B, "nowhere.example"/],
])('says which of two companies is not tracked: %s', async (_what, a, b, message) => {
  for (const operation of ['getPairGraph', 'getPartnership']) {
    const identifiers = { identifierA: a ?? pair.a, identifierB: b ?? pair.b };
    const run = await partnerGraph(sandbox, { operation, ...identifiers });
    expect(run.error?.message).toMatch(message);
  }
});
