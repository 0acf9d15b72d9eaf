import {
  NodeConnectionTypes,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
} from 'n8n-workflow';

import { searchTechnologies } from '../../src/n8n/dropdowns';
import { poll, toTriggerProperties, toTriggerSubtitle } from '../../src/n8n/triggers/poll';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { triggerPanel } from '../shared/triggerOptions';
import { trigger } from './trigger';

export class TechUsersTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Tech Users Trigger',
    name: 'techUsersTrigger',
    icon: { light: 'file:techUsersTrigger.svg', dark: 'file:techUsersTrigger.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: toTriggerSubtitle(trigger.parameters.events),
    // n8n merges the trigger with the action node of its name, and shows this text for both.
    description:
      "Find the users of a technology or a vendor's products (action), or start the workflow when companies start or stop using it (trigger). A poll usually sends 1 request. Cost: up to 1 credit per company read per 30 days.",
    builderHint: {
      searchHint:
        "Starts the workflow when companies start or stop using a technology or a vendor's products. Use it to find new prospects in a market. To watch accounts you already have, use Account Changes Trigger.",
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.techUsers',
          relationHint: 'Reads all companies that use the technology',
        },
      ],
    },
    defaults: { name: 'Tech Users Trigger' },
    polling: true,
    triggerPanel,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [authenticationProperty, ...toTriggerProperties(trigger.parameters)],
  };

  methods = { listSearch: { searchTechnologies } };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return await poll(this, trigger);
  }
}
