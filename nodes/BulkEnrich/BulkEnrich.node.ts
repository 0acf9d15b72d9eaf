import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { FLAT_SINCE } from '../../src/n8n/result-shape';
import { describeOperations, runOperation, subtitleOf } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { enrichCompanies } from './enrichCompanies';
import { enrichPartnerships } from './enrichPartnerships';
import { normalizeDomains } from './normalizeDomains';

const operations = [enrichCompanies, enrichPartnerships, normalizeDomains];

/** Enriches any number of leads at once: distinct companies in batches, every row answered. */
export class BulkEnrich implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Bulk Enrich',
    name: 'bulkEnrich',
    icon: { light: 'file:bulkEnrich.svg', dark: 'file:bulkEnrich.dark.svg' },
    group: ['transform'],
    version: [1, FLAT_SINCE],
    subtitle: subtitleOf(operations),
    description: 'Add technologies, firmographics and partnerships to lists of companies',
    defaults: { name: 'Bulk Enrich' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey({ operation: [normalizeDomains.option.value] }),
    properties: [
      {
        ...authenticationProperty,
        displayOptions: { hide: { operation: [normalizeDomains.option.value] } },
      },
      ...describeOperations(operations, enrichCompanies, { name: 'Company', value: 'company' }),
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, operations);
  }
}
