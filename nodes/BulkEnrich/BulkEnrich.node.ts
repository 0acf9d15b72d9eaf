import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import {
  propertiesOf,
  runOperation,
  subtitleOf,
  type Operation,
  type Resource,
} from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { enrichCompanies, enrichPartnerships, estimateCost, normalizeDomains } from './operations';
import { RUN_REPORT } from './options';
import { scoreFit } from './scoreFit';

const company: Resource = {
  option: { name: 'Company', value: 'company' },
  operations: [enrichCompanies, enrichPartnerships, estimateCost, normalizeDomains, scoreFit],
  defaultOperation: enrichCompanies,
};

/** Operations that ask the service nothing. */
const local = [normalizeDomains.option.value, scoreFit.option.value];

/** An expression, because n8n asks for the outputs of a node while its options change. */
function outputsWithReport(reporting: readonly Operation[]): INodeTypeDescription['outputs'] {
  const operations = JSON.stringify(reporting.map(({ option }) => option.value));
  const both = JSON.stringify([
    { type: NodeConnectionTypes.Main, displayName: 'Rows' },
    { type: NodeConnectionTypes.Main, displayName: 'Run Report' },
  ]);
  return `={{ $parameter["options"]?.["${RUN_REPORT}"] === true && ${operations}.includes($parameter["operation"]) ? ${both} : ["${NodeConnectionTypes.Main}"] }}`;
}

/** Enriches any number of leads at once: distinct companies in batches, every row answered. */
export class BulkEnrich implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Bulk Enrich',
    name: 'bulkEnrich',
    icon: { light: 'file:bulkEnrich.svg', dark: 'file:bulkEnrich.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: subtitleOf([company]),
    description: 'Add technologies, firmographics and partnerships to lists of companies',
    builderHint: {
      searchHint:
        'Enriches any number of companies or leads. Give it all items at once: it removes duplicates, sends batches of 100 and keeps to the rate limit, so add no Loop Over Items, no Wait and no Remove Duplicates. Returns one item per input item. Domain takes a domain, website or email address per item, such as expr("{{ $json.website }}").',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.refreshAndWait',
          relationHint: 'Crawls companies again before they are enriched',
        },
      ],
    },
    defaults: { name: 'Bulk Enrich' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: outputsWithReport([enrichCompanies, enrichPartnerships]),
    credentials: eitherKey({ operation: local }),
    properties: [
      {
        ...authenticationProperty,
        displayOptions: { hide: { operation: local } },
      },
      ...propertiesOf([company]),
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [company]);
  }
}
