import { choice, number, parameter, several } from '../../src/n8n/parameters/declare';
import { maxCredits } from '../shared/options';
import { SECTIONS } from '../shared/company';

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

/** Options about what is refreshed, and what is read of it. */
export const freshnessOptions = {
  onlyIfOlderThanDays: number(
    {
      displayName: 'Only If Older Than (Days)',
      name: 'onlyIfOlderThanDays',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 0,
      description:
        'Leave out companies that were seen within this many days: their rows come out with the status fresh; 0 to refresh all. Last Seen At says when that was.',
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
        'For Only If Older Than: when the data of an item were last seen, as a time or as data of which the newest last_seen_at counts. Evaluated for every item. Where it is empty the service is asked, which costs 1 credit per tracked company that was not read in the last 30 days.',
    },
    // Each item has its own.
    () => undefined,
  ),
  enrichAfterwards: several({
    displayName: 'Enrich Afterwards',
    name: 'enrichAfterwards',
    type: 'multiOptions',
    options: [...SECTIONS],
    default: [],
    description:
      'What to read of the companies that were refreshed, into the field enrichment of the result. Costs 1 credit per company, unless it was read in the last 30 days. Technologies and firmographics may take up to an hour to show what the crawl found.',
  }),
  maxCredits,
};
