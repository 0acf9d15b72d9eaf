import { companyGraph } from '../../src/api/graphs';
import { LIMITS } from '../../src/input/limits';
import { parameter } from '../../src/n8n/parameters/declare';
import { numberOf } from '../../src/n8n/parameters/values';
import { graphOutputs } from '../../src/n8n/per-item/graph-output';
import { perItem } from '../../src/n8n/per-item/per-item';
import { company } from '../shared/company';
import { ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';
import { graphForm } from './graph-output';

/** `GET /v1/companies/{identifier}/partnerships/graph` */
export const getGraph = perItem({
  option: {
    name: 'Get Graph',
    value: 'getGraph',
    description:
      'Get the network around a company, as data or picture. Costs 1 credit per other company in it.',
    action: 'Get partner graph',
  },
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
      (value, name) => numberOf(value, name, { min: 1, max: LIMITS.graphDepth.max, whole: true }),
    ),
    ...graphForm,
    options: requestOptions({ ifNotFound, maxCredits, subdomains }),
  },
  asked: ({ identifier }) => ({ identifier }),
  ask: async ({ identifier, depth, maxNodes, graphOutput }, { run, context }) => {
    const graph = await companyGraph(run, identifier, { depth, max_nodes: maxNodes });
    return await graphOutputs(context, graph, graphOutput, { identifier });
  },
});
