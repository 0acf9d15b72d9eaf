import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { toNodeProperties, runOperation, toSubtitle, type Resource } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { getGraph, getPairGraph } from './graphs';
import { getPartners, getPartnership, getReversePartners, getSharedPartners } from './partners';

const partnership: Resource = {
  option: { name: 'Partnership', value: 'partnership' },
  operations: [
    getGraph,
    getPairGraph,
    getPartners,
    getPartnership,
    getReversePartners,
    getSharedPartners,
  ],
  defaultOperation: getPartners,
};

export class PartnerGraph implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Partner Graph',
    name: 'partnerGraph',
    icon: { light: 'file:partnerGraph.svg', dark: 'file:partnerGraph.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: toSubtitle([partnership]),
    description: 'Get partners, partnerships and partner networks of companies',
    builderHint: {
      searchHint:
        'Gets the partners of a company, the partnership of two companies, shared partners, and partner networks as data, SVG or PNG. It pages automatically, so add no Loop Over Items.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.companyLookup',
          relationHint: 'Gets a single company',
        },
      ],
    },
    defaults: { name: 'Partner Graph' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [authenticationProperty, ...toNodeProperties([partnership])],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [partnership]);
  }
}
