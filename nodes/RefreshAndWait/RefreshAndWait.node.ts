import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { durableSteps } from '../../src/n8n/jobs/suspend-execution';
import { toNodeProperties, runOperation, toSubtitle, type Resource } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { getJob, refreshAndWait, startRefresh, waitForJob } from './operations';

const refreshJob: Resource = {
  option: { name: 'Refresh Job', value: 'refreshJob' },
  operations: [getJob, refreshAndWait, startRefresh, waitForJob],
  defaultOperation: refreshAndWait,
  steps: durableSteps,
};

export class RefreshAndWait implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Refresh and Wait',
    name: 'refreshAndWait',
    icon: { light: 'file:refreshAndWait.svg', dark: 'file:refreshAndWait.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: toSubtitle([refreshJob]),
    description: 'Refresh company data and wait for the result',
    builderHint: {
      searchHint:
        'Refreshes companies, so that the service reads their sites again, and waits for the result. Give it all items at once. The wait survives restarts of n8n, so add no Wait node and no polling loop. Use it only if data must be newer than what Bulk Enrich returns.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.bulkEnrich',
          relationHint: 'Reads the companies after the refresh',
        },
      ],
    },
    waitingNodeTooltip:
      'Waiting for the refresh jobs to finish. A restart of n8n does not end the wait.',
    defaults: { name: 'Refresh and Wait' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [authenticationProperty, ...toNodeProperties([refreshJob])],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [refreshJob]);
  }
}
