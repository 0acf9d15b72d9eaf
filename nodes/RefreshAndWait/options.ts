import { choice, number } from '../../src/n8n/parameters/declare';

const A_WEEK_IN_MINUTES = 7 * 24 * 60;

/** Options of operations that wait. */
export const waitOptions = {
  maxWaitMinutes: number(
    {
      displayName: 'Max Wait (Minutes)',
      name: 'maxWaitMinutes',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 60,
      description:
        'How long to wait for all jobs together. Most crawls take minutes, some about an hour.',
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
  }),
  ifStillRunning: choice({
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
  }),
};
