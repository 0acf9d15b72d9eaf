import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { describeOperations, runOperation, subtitleOf } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { create } from './create';

const operations = [create];

/** Reports wrong data. */
export class FlagData implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Flag Data',
    name: 'flagData',
    icon: { light: 'file:flagData.svg', dark: 'file:flagData.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: subtitleOf(operations),
    description: 'Report wrong data about companies for review',
    defaults: { name: 'Flag Data' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [
      authenticationProperty,
      ...describeOperations(operations, create, { name: 'Flag', value: 'flag' }),
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, operations);
  }
}
