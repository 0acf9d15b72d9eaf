import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import * as listSearch from '../../src/n8n/dropdowns';
import { toNodeProperties, runOperation, toSubtitle, type Resource } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { count, getByTechnology, getByVendor, searchTechnologies } from './operations';

const technologyUser: Resource = {
  option: { name: 'Technology User', value: 'technologyUser' },
  operations: [count, getByTechnology, getByVendor, searchTechnologies],
  defaultOperation: getByTechnology,
};

export class TechUsers implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Tech Users',
    name: 'techUsers',
    icon: { light: 'file:techUsers.svg', dark: 'file:techUsers.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: toSubtitle([technologyUser]),
    description: "Find companies that use a technology or a vendor's products",
    builderHint: {
      searchHint:
        "Finds companies that use a technology or a vendor's products, such as HubSpot or Shopify. First use Search Technologies (free) to find the tech key, then Get Users by Technology. It pages automatically, so add no Loop Over Items. Each company returned costs 1 credit, so set Limit or Max Credits.",
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.techUsersTrigger',
          relationHint: 'Starts a workflow when a company starts using the technology',
        },
      ],
    },
    defaults: { name: 'Tech Users' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [authenticationProperty, ...toNodeProperties([technologyUser])],
  };

  methods = { listSearch: { searchTechnologies: listSearch.searchTechnologies } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [technologyUser]);
  }
}
