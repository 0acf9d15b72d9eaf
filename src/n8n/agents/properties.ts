import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { createToolDescription } from './tool-description';

const displayOptions = { show: { '@tool': [true] } };

/**
 * Returns the parameters that an operation shows only as the tool of an agent.
 *
 * @param returns Fields of a result; for a list, the fields that a model reads by default.
 */
export function createToolProperties(
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
      default: createToolDescription(option, properties, returns),
      description: 'Description of this tool for the agent',
      displayOptions,
    },
    {
      displayName: 'Selected Fields',
      name: 'selectedFields',
      type: 'string',
      default: isList ? returns : '',
      placeholder: 'e.g. company_name, domain',
      description:
        'Fields of each result that the agent reads, separated by commas; empty means all fields with a value. A result with none of these fields is returned whole.',
      displayOptions,
    },
  ];
  return costsCredits(properties) ? [...shown, creditsPerAgentRun] : shown;
}

/** Credit limit for tools that cost credits. */
export const creditsPerAgentRun: INodeProperties = {
  displayName: 'Max Credits per Agent Run',
  name: 'maxCreditsPerAgentRun',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description:
    'Maximum credits that all tools of this package may spend together in one run of the agent; 0 means no limit. It is checked when this tool is called, so set the same limit in each tool.',
  displayOptions,
};

function costsCredits(properties: readonly INodeProperties[]): boolean {
  const options = properties.find(({ name }) => name === 'options')?.options ?? [];
  return options.some(({ name }) => name === 'maxCredits');
}
