import type { INodeProperties } from 'n8n-workflow';

/** Options of operations that read each row's domain and keep the row's own fields. */
export const freeMailOption: INodeProperties = {
  displayName: 'Ignore Free Mail Hosts',
  name: 'rejectFreeMail',
  type: 'boolean',
  default: false,
  description:
    'Whether to treat gmail.com and other hosts of free mail providers as invalid instead of asking for them',
};

export const outputOption: INodeProperties = {
  displayName: 'Output',
  name: 'output',
  type: 'options',
  options: [
    {
      name: 'Input Fields and Result',
      value: 'merge',
      description: 'Each item keeps its fields; the result is added under one more',
    },
    { name: 'Result Only', value: 'result', description: 'Each item becomes its result' },
  ],
  default: 'merge',
  description: 'What the items hold that come out',
};

/** @param field where results go unless the user says otherwise. */
export function resultFieldOption(field: string): INodeProperties {
  return {
    displayName: 'Result Field',
    name: 'resultField',
    type: 'string',
    default: field,
    description: 'Name of the field that holds the result when input fields are kept',
    displayOptions: { hide: { output: ['result'] } },
  };
}
