import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { searchLists, searchPermissions } from '../../src/n8n/dropdowns';
import { toNodeProperties, runOperation, toSubtitle } from '../../src/n8n/operation';
import { userKeyOnly } from '../shared/authentication';
import { definition } from './definition';
import { list } from './list';
import { permission } from './permission';

const resources = [definition, list, permission] as const;

export class CompanyList implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Company List',
    name: 'companyList',
    icon: { light: 'file:companyList.svg', dark: 'file:companyList.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: toSubtitle(resources),
    description: 'Manage saved company lists, their definitions and permissions',
    builderHint: {
      searchHint:
        'Creates, renames, shares and deletes saved lists of companies, and changes the definitions that decide which companies are their members. For the members, use List Members. Needs a user key.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.listMembers',
          relationHint: 'Reads and changes the members of a list',
        },
      ],
    },
    defaults: { name: 'Company List' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: userKeyOnly,
    properties: toNodeProperties(resources, list),
  };

  methods = {
    listSearch: { searchLists, searchPermissions },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, resources);
  }
}
