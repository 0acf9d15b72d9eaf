import { companyGraph } from '../../src/api/graphs';
import { identifierOf, wholeNumberOf } from '../../src/api/inputs';
import { LIMITS } from '../../src/api/limits';
import { graphOutputs } from '../../src/n8n/per-item/graph-output';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { subdomainsOf } from '../../src/n8n/per-item/parameters';
import { perItem } from '../../src/n8n/per-item/per-item';
import { identifierProperty } from '../shared/company';
import {
  ifNotFoundOption,
  maxCreditsOption,
  requestOptions,
  subdomainsOption,
} from '../shared/options';
import { graphProperties, graphRequestOf } from './graph-output';

/** `GET /v1/companies/{identifier}/partnerships/graph` */
export const getGraph: Operation = {
  option: {
    name: 'Get Graph',
    value: 'getGraph',
    description:
      'Get the partner network around a company, as data or as a picture. Costs 1 credit per company in it, the one asked for free.',
    action: 'Get the partner graph of a company',
  },
  properties: onlyFor('getGraph', [
    identifierProperty(),
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
    ...graphProperties,
    requestOptions(ifNotFoundOption, maxCreditsOption, subdomainsOption),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      identifier: identifierOf(parameters.get('identifier'), 'Company', subdomainsOf(parameters)),
      depth: wholeNumberOf(parameters.get('depth'), 'Depth', {
        min: 1,
        max: LIMITS.graphDepth.max,
      }),
      ...graphRequestOf(parameters),
      ifNotFound: ifNotFoundOf(parameters),
    }),
    ask: async ({ identifier, depth, maxNodes, graphOutput, ifNotFound }, { run, context }) =>
      await orNotFound(ifNotFound, { identifier }, async () =>
        graphOutputs(context, await companyGraph(run, identifier, depth, maxNodes), graphOutput, {
          identifier,
        }),
      ),
  }),
};
