import { choice, number, parameter } from '../../src/n8n/parameters/declare';
import { A_WEEK_IN_MINUTES, maxCredits } from '../shared/options';

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
        'Maximum time to wait for all jobs together. Most refreshes take minutes, some about an hour.',
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
  ifStillRunning: choice({
    displayName: 'If Still Running',
    name: 'ifStillRunning',
    type: 'options',
    options: [
      { name: 'Fail', value: 'error', description: 'The item fails' },
      {
        name: 'Return an Item',
        value: 'item',
        description:
          'Return an item with the status still_running and the job ID, to wait for it later',
      },
    ],
    default: 'item',
    description: 'What to do if a job has not ended after Max Wait',
  }),
};

/** Options about which companies to refresh. */
export const freshnessOptions = {
  onlyIfOlderThanDays: number(
    {
      displayName: 'Only If Older Than (Days)',
      name: 'onlyIfOlderThanDays',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 0,
      description:
        'Skip companies last seen within this many days; their items get the status fresh. 0 refreshes all. The date comes from Last Seen At.',
    },
    { whole: false },
  ),
  lastSeenAt: parameter(
    {
      displayName: 'Last Seen At',
      name: 'lastSeenAt',
      type: 'string',
      default: '',
      placeholder: 'e.g. {{ $json.enrichment }}',
      description:
        "For Only If Older Than: when the item's data was last seen, as a time or as data whose newest last_seen_at counts. Evaluated for each item. If it is empty, the node looks the company up: 1 credit per company, then free for 30 days.",
    },
    // Read for each item, not once per run.
    () => undefined,
  ),
  maxCredits,
};
