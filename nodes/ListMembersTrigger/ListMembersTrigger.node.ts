import {
  NodeConnectionTypes,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
} from 'n8n-workflow';

import { searchLists } from '../../src/n8n/dropdowns';
import { poll, toTriggerProperties, toTriggerSubtitle } from '../../src/n8n/triggers/poll';
import { userKeyOnly } from '../shared/authentication';
import { triggerPanel } from '../shared/triggerOptions';
import { trigger } from './trigger';

export class ListMembersTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'List Members Trigger',
    name: 'listMembersTrigger',
    icon: { light: 'file:listMembersTrigger.svg', dark: 'file:listMembersTrigger.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: toTriggerSubtitle(trigger.parameters.events),
    // n8n merges the trigger with the action node of its name, and shows this text for both.
    description:
      'Read, export, add and remove the members of a saved list (action), or start the workflow when members or their tiers change (trigger). A poll sends 1 request per 100 members, plus 1. Cost: up to 1 credit per member per 30 days.',
    builderHint: {
      searchHint:
        'Starts the workflow when companies join or leave a saved list or change their tier. Use it to keep a CRM or sheet in sync with a list. Add no Schedule Trigger and no comparison with earlier runs.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.listMembers',
          relationHint: 'Reads the whole list',
        },
      ],
    },
    defaults: { name: 'List Members Trigger' },
    polling: true,
    triggerPanel,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: userKeyOnly,
    properties: toTriggerProperties(trigger.parameters),
  };

  methods = { listSearch: { searchLists } };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return await poll(this, trigger);
  }
}
