import { refreshAndWait as execute } from '../../src/n8n/jobs/refresh';
import { wholeRun } from '../../src/n8n/operation';
import { domainProperty } from '../shared/company';
import { requestOptions } from '../shared/options';
import { rowOptions, WHOLE_RUN } from '../shared/rows';
import { freshnessOptions, waitOptions } from './options';

/** `POST /v1/companies/refresh`, then `GET /v1/jobs/{job_id}` until all jobs are over */
export const refreshAndWait = wholeRun({
  option: {
    name: 'Refresh and Wait',
    value: 'refreshAndWait',
    description:
      'Crawl companies again and wait until that is done. Free; options that read them cost credits.',
    action: 'Refresh companies and wait',
  },
  ofItems: [domainProperty],
  parameters: {
    options: requestOptions(
      { ...waitOptions, ...freshnessOptions, ...rowOptions('refresh', 'refresh_') },
      WHOLE_RUN,
    ),
  },
  execute: async (context, { options }) => await execute(context, options),
});
