import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { toolProperties } from '../../src/n8n/agents/properties';
import { runNode } from '../../src/n8n/agents/run';
import { authenticationOrNone, eitherKey } from '../shared/authentication';
import { send } from './send';

const ofTool = toolProperties(
  {
    name: 'Send',
    value: 'send',
    description:
      'Call an endpoint that no other tool covers; methods other than GET change data. Costs what the endpoint charges.',
  },
  send.properties,
  'what the endpoint answers',
);

/** Whatever the interface mentions but does not show, on the same path as everything else. */
export class ApiRequest implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'API Request',
    name: 'apiRequest',
    icon: { light: 'file:apiRequest.svg', dark: 'file:apiRequest.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["method"] + " /v1/" + $parameter["path"] }}',
    description:
      'Call any endpoint of the company intelligence service, such as list history or exclusions; costs the credits that the endpoint charges',
    builderHint: {
      searchHint:
        'Calls an endpoint for which there is no operation, such as list history or exclusions. Use another node of this package where one does the job; it adds the credential and keeps to the rate limit, so prefer it to HTTP Request.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.companyLookup',
          relationHint: 'Gets companies',
        },
        { nodeType: 'n8n-nodes-company-intelligence.listMembers', relationHint: 'Reads lists' },
      ],
    },
    defaults: { name: 'API Request' },
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
