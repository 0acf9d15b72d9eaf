import { readEndpointObject } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import { readPair } from '../../src/service/partnerships';
import { choice, number, parameter } from '../../src/n8n/parameters/declare';
import { parseNumber } from '../../src/n8n/parameters/parsers';
import { toGraphOutputs } from '../../src/n8n/files/graph-output';
import { perItem } from '../../src/n8n/items/per-item';
import { describePair, company, companyPair } from '../shared/company';
import { ifNotFound, maxCredits, createOptions } from '../shared/options';

const graphForm = {
  maxNodes: number({
    displayName: 'Max Nodes',
    name: 'maxNodes',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: api.companyGraph.query.max_nodes.max },
    default: 50,
    description: 'Maximum companies in the network, 1 to 100. Each can cost 1 credit.',
  }),
  graphOutput: choice({
    displayName: 'Format',
    name: 'graphOutput',
    type: 'options',
    options: [
      {
        name: 'Items',
        value: 'rows',
        description: 'One item per company, then one per partnership, same columns',
      },
      { name: 'One Item', value: 'single', description: 'All nodes and edges in one item' },
      {
        name: 'Picture',
        value: 'picture',
        description: 'A drawing of the network as SVG and PNG, as binary data',
      },
    ],
    default: 'single',
    description: 'How to output the network',
  }),
};

export const getGraph = perItem({
  option: {
    name: 'Get Graph',
    value: 'getGraph',
    description:
      'Get the partner network of a company. Costs up to 1 credit per other company. As data or a picture.',
    action: 'Get partner graph',
  },
  returns: 'root_company, nodes, edges',
  counts: 'graph',
  parameters: {
    identifier: company(),
    depth: parameter(
      {
        displayName: 'Depth',
        name: 'depth',
        type: 'options',
        options: [
          { name: 'Direct Partners', value: 1 },
          { name: 'Partners of Partners', value: 2 },
        ],
        default: 1,
        description: 'How far the network reaches',
      },
      (value, name) =>
        parseNumber(value, name, { min: 1, max: api.companyGraph.query.depth.max, whole: true }),
    ),
    ...graphForm,
    options: createOptions({ ifNotFound, maxCredits }),
  },
  company: 'identifier',
  requestFieldsOf: ({ identifier }) => ({ identifier }),
  execute: async ({ identifier, depth, maxNodes, graphOutput }, { run, context }) => {
    const graph = await readEndpointObject(run, api.companyGraph, {
      identifier,
      depth,
      max_nodes: maxNodes,
    });
    return await toGraphOutputs(context, graph, graphOutput, { identifier });
  },
});

export const getPairGraph = perItem({
  option: {
    name: 'Get Pair Graph',
    value: 'getPairGraph',
    description:
      'Get the partner network of two companies. Costs up to 1 credit per company. As data or a picture.',
    action: 'Get partner graph for two companies',
  },
  returns: 'root_companies, nodes, edges',
  counts: 'graph',
  parameters: {
    ...companyPair,
    ...graphForm,
    options: createOptions({ ifNotFound, maxCredits }),
  },
  requestFieldsOf: describePair,
  execute: async ({ identifier_a, identifier_b, maxNodes, graphOutput }, { run, context }) => {
    const pair = { identifier_a, identifier_b };
    const args = { ...pair, max_nodes: maxNodes };
    const graph = await readPair(
      pair,
      async () => await readEndpointObject(run, api.pairGraph, args),
    );
    return await toGraphOutputs(context, graph, graphOutput, pair);
  },
});
