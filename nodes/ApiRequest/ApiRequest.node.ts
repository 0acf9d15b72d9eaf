import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { runNode } from '../../src/n8n/agents';
import { authenticationOrNone, eitherKey } from '../shared/authentication';
import { send } from './send';

/** Whatever the interface mentions but does not show, on the same path as everything else. */
export class ApiRequest implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Company Intelligence API Request',
    name: 'apiRequest',
    icon: { light: 'file:apiRequest.svg', dark: 'file:apiRequest.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["method"] + " /v1/" + $parameter["path"] }}',
    description:
      'Call any endpoint of the company intelligence service, such as list history or exclusions; costs the credits that the endpoint charges',
    defaults: { name: 'API Request' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [...authenticationOrNone, ...send.properties],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runNode(this, send.execute);
  }
}
