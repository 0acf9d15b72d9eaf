import { choice, number } from '../../src/n8n/parameters/declare';
import { A_WEEK_IN_MINUTES } from '../shared/options';

export const waitOptions = {
  maxWaitMinutes: number(
    {
      displayName: 'Max Wait (Minutes)',
      name: 'maxWaitMinutes',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 60,
      description:
        'Maximum time to wait for all jobs together. Most refreshes take minutes, some about an hour. What has not ended then gets the status still_running.',
    },
    { max: A_WEEK_IN_MINUTES, whole: false },
  ),
  waitMode: choice({
    displayName: 'Wait Mode',
    name: 'waitMode',
    type: 'options',
    options: [
      {
        name: 'Durable',
        value: 'durable',
        description:
          'N8n saves the waiting workflow: the wait survives a restart and needs no memory',
      },
      {
        name: 'In Execution',
        value: 'inExecution',
        description: 'The execution stays active: a little faster, but the wait ends if n8n stops',
      },
    ],
    default: 'durable',
    description:
      'How to wait. Manual runs, agent runs and waits of about a minute always wait in the execution.',
  }),
};
