import { LIMITS } from '../../src/input/limits';
import { choice, number } from '../../src/n8n/parameters/declare';

/** How large a network, and in what form. */
export const graphForm = {
  maxNodes: number({
    displayName: 'Max Nodes',
    name: 'maxNodes',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: LIMITS.graphNodes.max },
    default: 50,
    description: 'The most companies in the network, 1 to 100; each may cost a credit',
  }),
  graphOutput: choice({
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
  }),
};
