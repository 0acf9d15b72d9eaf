import type { INodeProperties } from 'n8n-workflow';

import {
  maxCreditsOption,
  maxRateLimitWaitOption,
  optionsProperty,
  requestTimeoutOption,
  subdomainsOption,
} from '../shared/options';

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

const spendRemaining: INodeProperties = {
  displayName: 'Spend Remaining Credits',
  name: 'spendRemainingCredits',
  type: 'boolean',
  default: false,
  description:
    'Whether to use up what is left when the credits no longer cover a batch: as many of its rows as they cover are asked for once more, then the run stops asking',
};

const WHOLE_RUN = 'They hold for the whole run, not for single items';

/** For the operations that ask the service. */
export const enrichOptions = optionsProperty(
  [
    freeMail,
    {
      ...maxCreditsOption,
      description: `${maxCreditsOption.description ?? ''}. With partnerships included, each partner returned counts as well, after it has arrived.`,
    },
    maxRateLimitWaitOption,
    output,
    requestTimeoutOption,
    resultField,
    spendRemaining,
    subdomainsOption,
  ],
  WHOLE_RUN,
);

/** For the operation that only reads the rows. */
export const normalizeOptions = optionsProperty(
  [freeMail, output, resultField, subdomainsOption],
  WHOLE_RUN,
);
