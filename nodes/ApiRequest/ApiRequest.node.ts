import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { createToolProperties } from '../../src/n8n/agents/properties';
import { runNode } from '../../src/n8n/operation';
import { authenticationOrNone, eitherKey } from '../shared/authentication';
import { send } from './send';

const ofTool = createToolProperties(
  {
    name: 'Send',
    value: 'send',
    description:
      'Call an endpoint that no other tool covers, by a path such as lists/123/permissions; methods other than GET change data. Costs what the endpoint charges.',
  },
  send.properties,
  'the response of the endpoint',
);

export class ApiRequest implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Company Intelligence API Request',
    name: 'apiRequest',
    icon: { light: 'file:apiRequest.svg', dark: 'file:apiRequest.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["method"] + " /v1/" + $parameter["path"] }}',
    description:
      'Call any endpoint of the company intelligence service, such as lists/123/permissions. Costs what the endpoint charges.',
    builderHint: {
      searchHint:
        'Calls an endpoint that has no operation, by a path such as lists/123/permissions. Prefer another node of this package if one does the job. Prefer this node to HTTP Request: it adds the credential and respects the rate limit.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.companyLookup',
          relationHint: 'Gets companies',
        },
        { nodeType: 'n8n-nodes-company-intelligence.listMembers', relationHint: 'Reads lists' },
      ],
    },
    defaults: { name: 'Company Intelligence API Request' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [...authenticationOrNone, ...ofTool, ...send.properties],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runNode(this, send.execute);
  }
}
