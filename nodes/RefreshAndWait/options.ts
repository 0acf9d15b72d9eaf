import { number } from '../../src/n8n/parameters/declare';
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
};
