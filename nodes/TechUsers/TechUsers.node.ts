import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { searchTechnologies as searchTechnologyList } from '../../src/n8n/dropdowns';
import { propertiesOf, runOperation, subtitleOf, type Resource } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { count, getByTechnology, getByVendor, searchTechnologies } from './operations';

const technologyUser: Resource = {
  option: { name: 'Technology User', value: 'technologyUser' },
  operations: [count, getByTechnology, getByVendor, searchTechnologies],
  defaultOperation: getByTechnology,
};

/** Who uses a technology, or anything a vendor makes. */
export class TechUsers implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Tech Users',
    name: 'techUsers',
    icon: { light: 'file:techUsers.svg', dark: 'file:techUsers.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: subtitleOf([technologyUser]),
    description: 'Find the companies that use a technology or a vendor',
    builderHint: {
      searchHint:
        "Finds the companies that use a technology or a vendor's products, such as HubSpot or Shopify. First Search Technologies (free) for the tech key, then Get by Technology. It pages by itself: add no Loop Over Items. Every company returned costs a credit, so set Limit or Max Credits.",
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.techUsersTrigger',
          relationHint: 'Starts a workflow when a company begins to use the technology',
        },
      ],
    },
    defaults: { name: 'Tech Users' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [authenticationProperty, ...propertiesOf([technologyUser])],
  };

  methods = { listSearch: { searchTechnologies: searchTechnologyList } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [technologyUser]);
  }
}
