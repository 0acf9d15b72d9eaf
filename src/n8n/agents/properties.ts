import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { toolDescription } from './words';

const displayOptions = { show: { '@tool': [true] } };

/**
 * What a node shows of an operation where it is the tool of an agent.
 *
 * @param returns the fields of a result; of a list, those that a model reads unless told otherwise.
 */
export function toolProperties(
  option: INodePropertyOptions,
  properties: readonly INodeProperties[],
  returns: string,
): INodeProperties[] {
  const isList = properties.some(({ name }) => name === 'limit');
  const shown: INodeProperties[] = [
    {
      displayName: 'Tool Description',
      name: 'toolDescription',
      type: 'string',
      typeOptions: { rows: 3 },
      default: toolDescription(option, properties, returns),
      description: 'What the model is told about this tool',
      displayOptions,
    },
    {
      displayName: 'Selected Fields',
      name: 'selectedFields',
      type: 'string',
      default: isList ? returns : '',
      placeholder: 'e.g. company_name, domain',
      description:
        'The fields of each result that the model reads, separated by commas; empty for all that have a value. A result that has none of them comes whole.',
      displayOptions,
    },
  ];
  return costs(properties) ? [...shown, perAgentRun] : shown;
}

/** The option of a tool that costs credits. */
export const perAgentRun: INodeProperties = {
  displayName: 'Max Credits per Agent Run',
  name: 'maxCreditsPerAgentRun',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description:
    'The most credits that all tools of this package may spend together in one run of the agent, while this one is called; 0 for no limit. Set the same for each tool.',
  displayOptions,
};

function costs(properties: readonly INodeProperties[]): boolean {
  const options = properties.find(({ name }) => name === 'options')?.options ?? [];
  return options.some(({ name }) => name === 'maxCredits');
}
