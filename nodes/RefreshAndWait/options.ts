import type { INodeProperties } from 'n8n-workflow';

import {
  maxRateLimitWaitOption,
  optionsProperty,
  requestTimeoutOption,
  subdomainsOption,
} from '../shared/options';
import { freeMailOption, outputOption, resultFieldOption } from '../shared/rows';

const maxWait: INodeProperties = {
  displayName: 'Max Wait (Minutes)',
  name: 'maxWaitMinutes',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 60,
  description:
    'How long to wait for all jobs together. Most crawls take minutes, some about an hour.',
};

const waitMode: INodeProperties = {
  displayName: 'Wait Mode',
  name: 'waitMode',
  type: 'options',
  options: [
    {
      name: 'Durable',
      value: 'durable',
      description:
        'N8n saves the waiting workflow: the wait survives a restart and holds no memory',
    },
    {
      name: 'In Execution',
      value: 'inExecution',
      description: 'The execution stays active: it is a little faster, and ends when n8n stops',
    },
  ],
  default: 'durable',
  description:
    'Where the wait is kept. Manual runs, AI tools and waits of about a minute always wait in the execution.',
};

const ifStillRunning: INodeProperties = {
  displayName: 'If Still Running',
  name: 'ifStillRunning',
  type: 'options',
  options: [
    { name: 'Fail', value: 'error', description: 'Treat it as an error' },
    {
      name: 'Return an Item',
      value: 'item',
      description: 'Return an item that says so, with the job ID to go on with',
    },
  ],
  default: 'item',
  description: 'What to do when Max Wait is over before the job is',
};

const requests = [maxRateLimitWaitOption, requestTimeoutOption];
const wait = [ifStillRunning, maxWait, waitMode];
const WHOLE_RUN = 'They hold for the whole run, not for single items';

export const refreshAndWaitOptions = optionsProperty(
  [
    ...requests,
    ...wait,
    freeMailOption,
    outputOption,
    resultFieldOption('refresh'),
    subdomainsOption,
  ],
  WHOLE_RUN,
);
export const startRefreshOptions = optionsProperty(
  [...requests, freeMailOption, subdomainsOption],
  WHOLE_RUN,
);
export const waitForJobOptions = optionsProperty([...requests, ...wait], WHOLE_RUN);
