import {
  NodeConnectionTypes,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

import { createFlag } from '../../src/service/companies';
import { parseFlagDescription } from '../../src/input/inputs';
import { LIMITS } from '../../src/input/limits';
import { parameter } from '../../src/n8n/parameters/declare';
import { perItem } from '../../src/n8n/items/per-item';
import { toNodeProperties, runOperation, toSubtitle, type Resource } from '../../src/n8n/operation';
import { authenticationProperty, eitherKey } from '../shared/authentication';
import { company } from '../shared/company';
import { ifNotFound, createOptions } from '../shared/options';

const create = perItem({
  option: {
    name: 'Create Flag',
    value: 'create',
    description:
      "Report wrong company data. Free. Retry On Fail won't flag twice; Retry execution will.",
    action: 'Flag company data',
  },
  returns: 'flag_id, status',
  parameters: {
    identifier: company(),
    description: parameter(
      {
        displayName: 'Description',
        name: 'description',
        type: 'string',
        typeOptions: { rows: 4 },
        default: '',
        placeholder: 'e.g. The company moved to Austria in 2024',
        description: `What is wrong, up to ${String(LIMITS.flagDescriptionLength)} characters; optional`,
      },
      parseFlagDescription,
    ),
    options: createOptions({ ifNotFound }),
  },
  company: 'identifier',
  requestFieldsOf: ({ identifier }) => ({ identifier }),
  execute: async ({ identifier, description }, { run, once }) => ({
    identifier,
    ...(await once(async () => await createFlag(run, identifier, description))),
  }),
});

const flag: Resource = {
  option: { name: 'Flag', value: 'flag' },
  operations: [create],
  defaultOperation: create,
};

export class FlagData implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Flag Data',
    name: 'flagData',
    icon: { light: 'file:flagData.svg', dark: 'file:flagData.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: toSubtitle([flag]),
    description: 'Report wrong data about companies for review',
    builderHint: {
      searchHint:
        'Reports wrong data about a company for review. A flag changes no data. Use it only if a person or a rule found something wrong.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-company-intelligence.companyLookup',
          relationHint: 'Shows the data to check',
        },
      ],
    },
    defaults: { name: 'Flag Data' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: eitherKey(),
    properties: [authenticationProperty, ...toNodeProperties([flag])],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await runOperation(this, [flag]);
  }
}
