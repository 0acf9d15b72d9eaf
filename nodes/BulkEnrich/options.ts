import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const freeMail: INodeProperties = {
  displayName: 'Ignore Free Mail Hosts',
  name: 'rejectFreeMail',
  type: 'boolean',
  default: false,
  description:
    'Whether to treat gmail.com and other hosts of free mail providers as invalid instead of looking them up',
};

const output: INodeProperties = {
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

const resultField: INodeProperties = {
  displayName: 'Result Field',
  name: 'resultField',
  type: 'string',
  default: 'enrichment',
  description: 'Name of the field that holds the result when input fields are kept',
  displayOptions: { hide: { output: ['result'] } },
};

const subdomains: INodeProperties = {
  displayName: 'Subdomains',
  name: 'subdomains',
  type: 'options',
  options: [
    { name: 'Keep', value: 'keep', description: 'Ask for app.example.com as it is' },
    {
      name: 'Strip',
      value: 'strip',
      description: 'Ask for example.com instead of app.example.com',
    },
  ],
  default: 'strip',
  description: 'What to do with hosts below the domain of a company',
};

const maxCredits: INodeProperties = {
  displayName: 'Max Credits',
  name: 'maxCredits',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description:
    'The most credits this run may spend; 0 for no limit. Every company asked for counts as one credit until the answer shows that it was not tracked. Companies read in the last 30 days are free but count too. With partnerships included, each partner returned counts as well, after it has arrived.',
};

const maxRateLimitWait: INodeProperties = {
  displayName: 'Max Rate Limit Wait (Minutes)',
  name: 'maxRateLimitWaitMinutes',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 10,
  description: 'How long a request may wait in all because the rate limit of the key is used up',
};

const requestTimeout: INodeProperties = {
  displayName: 'Request Timeout (Seconds)',
  name: 'requestTimeoutSeconds',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 60,
  description: 'How long one request may take before it is sent again',
};

const spendRemaining: INodeProperties = {
  displayName: 'Spend Remaining Credits',
  name: 'spendRemainingCredits',
  type: 'boolean',
  default: false,
  description:
    'Whether to use up what is left when the credits no longer cover a batch: as many of its rows as they cover are asked for once more, then the run stops asking',
};

function options(choices: Option[]): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: choices,
    description: 'They hold for the whole run, not for single items',
  };
}

/** For the operations that ask the service. In the alphabetical order n8n wants. */
export const enrichOptions = options([
  freeMail,
  maxCredits,
  maxRateLimitWait,
  output,
  requestTimeout,
  resultField,
  spendRemaining,
  subdomains,
]);

/** For the operation that only reads the rows. */
export const normalizeOptions = options([freeMail, output, resultField, subdomains]);
