import { pairGraph } from '../../src/api/graphs';
import { graphOutputs } from '../../src/n8n/per-item/graph-output';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { perItem } from '../../src/n8n/per-item/per-item';
import {
  ifNotFoundOption,
  maxCreditsOption,
  requestOptions,
  subdomainsOption,
} from '../shared/options';
import { graphProperties, graphRequestOf } from './graph-output';
import { askedPair, pairOf, pairProperties } from './pair';

/** `GET /v1/partnerships/{identifier_a}/{identifier_b}/graph` */
export const getPairGraph: Operation = {
  option: {
    name: 'Get Pair Graph',
    value: 'getPairGraph',
    description:
      'Get the network around two companies, shared partners first, as data or as a picture. Costs 1 credit per company in it at most.',
    action: 'Get the partner graph of two companies',
  },
  properties: onlyFor('getPairGraph', [
    ...pairProperties,
    ...graphProperties,
    requestOptions(ifNotFoundOption, maxCreditsOption, subdomainsOption),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      ...pairOf(parameters),
      ...graphRequestOf(parameters),
      ifNotFound: ifNotFoundOf(parameters),
    }),
    ask: async ({ maxNodes, graphOutput, ifNotFound, ...pair }, { run, context }) =>
      await orNotFound(ifNotFound, askedPair(pair), async () => {
        const { identifierA, identifierB } = pair;
        const graph = await pairGraph(run, identifierA, identifierB, maxNodes);
        return await graphOutputs(context, graph, graphOutput, askedPair(pair));
      }),
  }),
};
