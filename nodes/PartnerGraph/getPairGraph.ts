import { pairGraph } from '../../src/api/graphs';
import { graphOutputs } from '../../src/n8n/per-item/graph-output';
import { perItem } from '../../src/n8n/per-item/per-item';
import { ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';
import { askedPair, pair } from '../shared/pair';
import { graphForm } from './graph-output';

/** `GET /v1/partnerships/{identifier_a}/{identifier_b}/graph` */
export const getPairGraph = perItem({
  option: {
    name: 'Get Pair Graph',
    value: 'getPairGraph',
    description:
      'Get the network around two companies, as data or picture. Costs 1 credit per company at most.',
    action: 'Get partner graph for two companies',
  },
  parameters: {
    ...pair,
    ...graphForm,
    options: requestOptions({ ifNotFound, maxCredits, subdomains }),
  },
  asked: askedPair,
  ask: async ({ identifier_a, identifier_b, maxNodes, graphOutput }, { run, context }) => {
    const graph = await pairGraph(run, identifier_a, identifier_b, { max_nodes: maxNodes });
    return await graphOutputs(context, graph, graphOutput, { identifier_a, identifier_b });
  },
});
