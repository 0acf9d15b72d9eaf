import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

/** Options that hold for a whole run. */
export const maxCreditsOption: INodeProperties = {
  displayName: 'Max Credits',
  name: 'maxCredits',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description:
    'The most credits this run may spend; 0 for no limit. What is asked for counts as if all of it were charged, until the answer shows how much there was at most. Companies read in the last 30 days are free but count too.',
};

export const maxRateLimitWaitOption: INodeProperties = {
  displayName: 'Max Rate Limit Wait (Minutes)',
  name: 'maxRateLimitWaitMinutes',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 10,
  description: 'How long a request may wait in all because the rate limit of the key is used up',
};

export const requestTimeoutOption: INodeProperties = {
  displayName: 'Request Timeout (Seconds)',
  name: 'requestTimeoutSeconds',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 60,
  description: 'How long one request may take before it is given up',
};

export const subdomainsOption: INodeProperties = {
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

export const ifNotFoundOption: INodeProperties = {
  displayName: 'If Not Found',
  name: 'ifNotFound',
  type: 'options',
  options: [
    { name: 'Fail', value: 'error', description: 'Treat it as an error' },
    {
      name: 'Return an Item',
      value: 'item',
      description: 'Return an item with found: false; what is found says found: true',
    },
  ],
  default: 'error',
  description: 'What to do when the service does not know what was asked for',
};

/** @param holds the objects beside the rows, in words. */
export function headerOption(holds: string): INodeProperties {
  return {
    displayName: 'Header',
    name: 'header',
    type: 'options',
    options: [
      { name: 'Add to Each Row', value: 'addToRows' },
      { name: 'Leave Out', value: 'omit' },
      {
        name: 'Return Alone',
        value: 'only',
        description: 'One item without rows; asks for a single row only',
      },
    ],
    default: 'omit',
    description: `What to do with the fields beside the rows: ${holds}`,
  };
}

/** The Options collection of an operation, in the alphabetical order n8n wants. */
export function optionsProperty(choices: Option[], description?: string): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [...choices].sort((a, b) => nameOf(a).localeCompare(nameOf(b))),
    ...(description === undefined ? {} : { description }),
  };
}

/** What every operation that sends requests offers, and its own options. */
export function requestOptions(...own: Option[]): INodeProperties {
  return optionsProperty([maxRateLimitWaitOption, requestTimeoutOption, ...own]);
}

function nameOf(option: Option): string {
  return 'displayName' in option ? option.displayName : option.name;
}
