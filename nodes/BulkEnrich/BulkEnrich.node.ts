import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { toNodeProperties, runOperation, toSubtitle, type Resource } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { enrichCompanies, enrichPartnerships, estimateCost, normalizeDomains } from './operations';

const company: Resource = {
  option: { name: 'Company', value: 'company' },
  operations: [enrichCompanies, enrichPartnerships, estimateCost, normalizeDomains],
  defaultOperation: enrichCompanies,
};

const local = [normalizeDomains.option.value];

export class BulkEnrich implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Bulk Enrich',
    name: 'bulkEnrich',
    icon: { light: 'file:bulkEnrich.svg', dark: 'file:bulkEnrich.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: toSubtitle([company]),
    description: 'Enrich company lists with firmographics, technologies and partnerships',
    builderHint: {
      searchHint:
        'Enriches any number of companies or leads. Give it all items at once: it removes duplicates, sends batches of 100 and respects the rate limit, so add no Loop Over Items, Wait or Remove Duplicates node. Returns one item per input item. Domain takes a domain, website or email address per item, such as expr("{{ $json.website }}").',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.refreshAndWait',
          relationHint: 'Refreshes companies before you enrich them',
        },
      ],
    },
    defaults: { name: 'Bulk Enrich' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey({ operation: local }),
    properties: [
      {
        ...authenticationProperty,
        displayOptions: { hide: { operation: local } },
      },
      ...toNodeProperties([company]),
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [company]);
  }
}
