import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { testOrganizationKey, testUserKey } from '../../src/n8n/credential-test';
import { toNodeProperties, runOperation, toSubtitle, type Resource } from '../../src/n8n/operation';
import { authenticationProperty } from '../shared/authentication';
import { get, getMany } from './operations';

const company: Resource = {
  option: { name: 'Company', value: 'company' },
  operations: [get, getMany],
  defaultOperation: get,
};

export class CompanyLookup implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Company Lookup',
    name: 'companyLookup',
    icon: { light: 'file:companyLookup.svg', dark: 'file:companyLookup.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: toSubtitle([company]),
    description: 'Get companies with their technologies and firmographics',
    builderHint: {
      searchHint:
        "Gets one company per item, or searches the service's companies. For many rows of a sheet or CRM, use Bulk Enrich. For companies that use a technology, use Tech Users.",
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.bulkEnrich',
          relationHint: 'Enriches many rows in few requests',
        },
      ],
    },
    defaults: { name: 'Company Lookup' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    // Written out, because n8n's linter looks for `testedBy` here.
    credentials: [
      {
        name: 'companyIntelligenceUserApi',
        required: true,
        displayOptions: { show: { authentication: ['userKey'] } },
        testedBy: 'testUserKey',
      },
      {
        name: 'companyIntelligenceOrganizationApi',
        required: true,
        displayOptions: { show: { authentication: ['organizationKey'] } },
        testedBy: 'testOrganizationKey',
      },
    ],
    properties: [authenticationProperty, ...toNodeProperties([company])],
  };

  methods = { credentialTest: { testOrganizationKey, testUserKey } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [company]);
  }
}
