import {
  NodeConnectionTypes,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
} from 'n8n-workflow';

import { searchTechnologies } from '../../src/n8n/dropdowns';
import { poll, propertiesOf, subtitleOf } from '../../src/n8n/triggers/watching';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { watch } from './watch';

/** Starts a workflow when companies begin or cease to use a technology. */
export class TechUsersTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Tech Users Trigger',
    name: 'techUsersTrigger',
    icon: { light: 'file:techUsersTrigger.svg', dark: 'file:techUsersTrigger.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: subtitleOf(watch.parameters.events),
    description:
      'The companies that use a technology or a vendor. The trigger starts the workflow when one begins to, is seen again, or is no longer listed; a poll mostly sends 1 request, and costs at most 1 credit per company read in 30 days.',
    builderHint: {
      searchHint:
        "Starts the workflow when companies begin to use a technology or a vendor's products, or stop. Use it for new prospects in a market. To watch accounts you already have, use Account Changes Trigger.",
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.techUsers',
          relationHint: 'Reads all companies that use the technology',
        },
      ],
    },
    defaults: { name: 'Tech Users Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [authenticationProperty, ...propertiesOf(watch.parameters)],
  };

  methods = { listSearch: { searchTechnologies } };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return await poll(this, watch);
  }
}
