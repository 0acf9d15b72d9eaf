import type { INodeProperties } from 'n8n-workflow';

import { LIMITS } from '../../src/api/limits';
import { GRAPH_OUTPUTS, type GraphOutput } from '../../src/n8n/per-item/graph-output';
import { wholeNumberOf } from '../../src/api/inputs';
import type { ItemParameters } from '../../src/n8n/per-item/parameters';

/** How large a network, and in what form. */
export const graphProperties: INodeProperties[] = [
  {
    displayName: 'Max Nodes',
    name: 'maxNodes',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: LIMITS.graphNodes.max },
    default: 50,
    description: 'The most companies in the network, 1 to 100; each may cost a credit',
  },
  {
    displayName: 'Output As',
    name: 'graphOutput',
    type: 'options',
    options: [
      {
        name: 'DOT File',
        value: 'dot',
        description: 'For Graphviz, as binary data',
      },
      {
        name: 'GraphML File',
        value: 'graphml',
        description: 'For Gephi, yEd and others, as binary data',
      },
      {
        name: 'Items',
        value: 'rows',
        description: 'One item for each node, then one for each edge',
      },
      {
        name: 'One Item',
        value: 'single',
        description: 'All nodes and edges in one item',
      },
      {
        name: 'Picture',
        value: 'picture',
        description: 'A drawing of the network as SVG and PNG, as binary data',
      },
    ],
    default: 'single',
    description: 'In what form to return the network',
  },
];

/** @throws {InputError} when the number of nodes is out of bounds. */
export function graphRequestOf(parameters: ItemParameters): {
  maxNodes: number;
  graphOutput: GraphOutput;
} {
  return {
    maxNodes: wholeNumberOf(parameters.get('maxNodes'), 'Max Nodes', {
      min: 1,
      max: LIMITS.graphNodes.max,
    }),
    graphOutput: parameters.choice(
      parameters.get('graphOutput'),
      'Output As',
      GRAPH_OUTPUTS,
      'single',
    ),
  };
}
