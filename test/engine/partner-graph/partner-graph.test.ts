/** Partner Graph: networks in all formats, partners, and shared partners. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { connectedPair, hubs, type Pair } from '../shared/partners';
import { sentTo, useSandbox } from '../shared/service';
import { running, textOfFile } from '../shared/nodes';

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

interface Graph {
  nodes: IDataObject[];
  edges: IDataObject[];
}

it('refuses a depth and a number of companies above the limits before anything is sent', async () => {
  const deep = await getGraph({ depth: 3 });
  const wide = await getPairGraph({ maxNodes: 101 });

  expect(deep.error?.message).toMatch(/"Depth" must be a whole number from 1 to 2, not "3"/);
  expect(wide.error?.message).toMatch(
    /"Max Nodes" must be a whole number from 1 to 100, not "101"/,
  );
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

  it('outputs one linked item per node, then one per edge, with the same columns', async () => {
    const { nodes, edges } = await graph();
    const run = await draw('rows');
    const rows = run.json(NAME);

    expect(edges.length).toBeGreaterThan(0);
    expect(rows).toHaveLength(nodes.length + edges.length);
    expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
    const find = (id: unknown) => nodes.find((node) => node['id'] === id);
    expect(rows).toMatchObject([
      ...nodes.map(({ name, primary_domain, ...node }) => ({
        ...{ type: 'node', company_name: name, domain: primary_domain, source_domain: '' },
        ...node,
      })),
      ...edges.map(({ source, target }) => ({
        type: 'edge',
        source,
        target,
        source_domain: find(source)?.['primary_domain'],
        source_name: find(source)?.['name'],
        target_domain: find(target)?.['primary_domain'],
        target_name: find(target)?.['name'],
        domain: '',
      })),
    ]);
    expect(run.traced()).toEqual(rows.map(() => 0));
  });

  it('outputs a PNG and an SVG named after the companies', async () => {
    const { nodes, edges } = await graph();
    const run = await draw('picture');
    const [picture] = run.output(NAME);
    const name = companies().join('-');

    expect(run.json(NAME)).toMatchObject([{ node_count: nodes.length, edge_count: edges.length }]);
    expect(Object.values(run.json(NAME)[0] ?? {})).toEqual(expect.arrayContaining(companies()));
    expect(picture?.binary).toMatchObject({
      data: { fileName: `${name}.png`, mimeType: 'image/png', fileType: 'image' },
      svg: { fileName: `${name}.svg`, mimeType: 'image/svg+xml' },
    });
    expect(textOfFile(picture).slice(1, 4)).toBe('PNG');
    expect(textOfFile(picture, 'svg')).toContain('<svg');
  });
});

it('outputs every format without an error or a cost when a company has no partners', async () => {
  const { companies, partnershipsOf } = sandbox.world;
  const alone = companies.find(({ id }) => partnershipsOf[id - 1]?.length === 0);
  const forms = ['single', 'rows', 'picture'];
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
  expect(run.traced()).toEqual([0, 1, 2]);
  expect(sandbox.report().charged).toBe(0);
});

it('outputs an invalid graph unchanged as One Item', async () => {
  sandbox.addFault({ preset: 'setField', options: { field: 'edges', value: 'none' } });

  expect((await getGraph()).json(NAME)).toMatchObject([{ edges: 'none' }]);
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

it.each(['getPairGraph', 'getPartnership'])(
  '%s says which of two companies is not tracked',
  async (operation) => {
    const unknown = 'nowhere.example';
    for (const [a, b, name] of [
      [unknown, pair.b, 'Company A'],
      [pair.a, unknown, 'Company B'],
    ]) {
      const parameters = { operation, identifierA: a ?? '', identifierB: b ?? '' };
      const { error } = await partnerGraph(sandbox, parameters);
      expect(error?.message).toContain(`track ${name ?? ''}, "${unknown}"`);
    }
  },
);

it('Get Partners sends the filters of each item under their API names', async () => {
  const fields = ['q', 'partnershipTypes', 'sort', 'limit'];
  const run = await partnerGraph(
    sandbox,
    {
      identifier: '={{ $json.company }}',
      ...Object.fromEntries(fields.map((name) => [name, `={{ $json.${name} }}`])),
    },
    [
      {
        company: `https://${hub}/x`,
        q: ' a ',
        partnershipTypes: ['technology', 'channel'],
        sort: 'observation_count',
        limit: 3,
      },
      { company: hub, q: '', partnershipTypes: [], sort: '-first_observed_at', limit: 2 },
      { company: hub, limit: 1 },
    ],
  );

  const types = 'technology,channel';
  expect(sentTo(sandbox).map(({ path, query }) => [path, query])).toEqual(
    [
      { q: 'a', partnership_types: types, sort: 'observation_count', page: '1', limit: '3' },
      { sort: '-first_observed_at', page: '1', limit: '2' },
      { sort: '-last_observed_at', page: '1', limit: '1' },
    ].map((query) => [`/v1/companies/${hub}/partnerships`, query]),
  );
  const filtered = run.json(NAME).slice(0, 3);
  expect(filtered).toHaveLength(3);
  for (const json of filtered) {
    expect(['technology', 'channel']).toContain(json['partnership_type']);
    expect((json['partner_name'] as string).toLowerCase()).toContain('a');
  }
});

it('Get Shared Partners names both companies in simplified rows only', async () => {
  const shared = { operation: 'getSharedPartners', identifierA: pair.a, identifierB: pair.b };
  const [first = {}] = (await partnerGraph(sandbox, shared)).json(NAME);
  const raw = (await partnerGraph(sandbox, { ...shared, simplify: false })).json(NAME);

  expect(first['of_domain']).toBe(`${pair.a}; ${pair.b}`);
  expect(raw[0]).not.toHaveProperty('of_domain');
});
