import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { searchLists } from '../../src/n8n/dropdowns';
import { toNodeProperties, runOperation, toSubtitle, type Resource } from '../../src/n8n/operation';
import { userKeyOnly } from '../shared/authentication';
import { addDomains, exportCsv, getMany, materialize, removeDomain } from './operations';

const listMember: Resource = {
  option: { name: 'List Member', value: 'listMember' },
  operations: [addDomains, exportCsv, getMany, materialize, removeDomain],
  defaultOperation: getMany,
};

export class ListMembers implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'List Members',
    name: 'listMembers',
    icon: { light: 'file:listMembers.svg', dark: 'file:listMembers.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: toSubtitle([listMember]),
    description: 'Read, export, add and remove the members of a saved list',
    builderHint: {
      searchHint:
        'Reads, exports, adds and removes the members of a saved list. It pages automatically, so add no Loop Over Items. Add Domains takes all items at once. Needs a user key.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.companyList',
          relationHint: 'Creates and finds the lists',
        },
        {
          nodeType: 'n8n-nodes-company-intelligence.listMembersTrigger',
          relationHint: 'Starts a workflow when the members change',
        },
      ],
    },
    defaults: { name: 'List Members' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: userKeyOnly,
    properties: toNodeProperties([listMember]),
  };

  methods = { listSearch: { searchLists } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [listMember]);
  }
}
