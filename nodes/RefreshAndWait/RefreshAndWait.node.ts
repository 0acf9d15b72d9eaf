import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { durableSteps } from '../../src/n8n/jobs/durable';
import { describeOperations, runOperation, subtitleOf } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { getJob, refreshAndWait, startRefresh, waitForJob } from './operations';

const operations = [getJob, refreshAndWait, startRefresh, waitForJob];

/** Fresh crawls of companies, and waiting for them. */
export class RefreshAndWait implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Refresh and Wait',
    name: 'refreshAndWait',
    icon: { light: 'file:refreshAndWait.svg', dark: 'file:refreshAndWait.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: subtitleOf(operations),
    description: 'Crawl companies again and wait for the fresh data',
    defaults: { name: 'Refresh and Wait' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [
      authenticationProperty,
      ...describeOperations(operations, refreshAndWait, {
        name: 'Refresh Job',
        value: 'refreshJob',
      }),
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [...operations, ...durableSteps]);
  }
}
