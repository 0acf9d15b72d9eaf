import {
  NodeConnectionTypes,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
} from 'n8n-workflow';

import { searchLists } from '../../src/n8n/dropdowns';
import { poll, toTriggerProperties, toTriggerSubtitle } from '../../src/n8n/triggers/poll';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { triggerPanel } from '../shared/triggerOptions';
import { trigger } from './trigger';

export class AccountChangesTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Account Changes Trigger',
    name: 'accountChangesTrigger',
    icon: { light: 'file:accountChangesTrigger.svg', dark: 'file:accountChangesTrigger.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: toTriggerSubtitle(trigger.parameters.events),
    description:
      'Starts the workflow when your accounts adopt or drop technologies, or gain or lose partners. A poll sends 1 request per 100 accounts. Cost: up to 1 credit per company per 30 days.',
    builderHint: {
      searchHint:
        'Starts the workflow when accounts you already have, typed in or from a saved list, adopt or drop technologies, or gain or lose partners. To find companies you do not know yet, use Tech Users Trigger.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.bulkEnrich',
          relationHint: 'Reads the current data of the accounts',
        },
      ],
    },
    defaults: { name: 'Account Changes Trigger' },
    polling: true,
    triggerPanel,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [authenticationProperty, ...toTriggerProperties(trigger.parameters)],
  };

  methods = { listSearch: { searchLists } };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return await poll(this, trigger);
  }
}
