import { startRefreshes } from '../../src/n8n/jobs/refresh';
import { wholeRun } from '../../src/n8n/operation';
import { domainProperty } from '../shared/company';
import { requestOptions } from '../shared/options';
import { domainOptions, WHOLE_RUN } from '../shared/rows';

/** `POST /v1/companies/refresh` */
export const startRefresh = wholeRun({
  option: {
    name: 'Start Refresh',
    value: 'startRefresh',
    description:
      'Start to crawl the companies of all items. Free. Retry On Fail never does it twice; Retry Execution does.',
    action: 'Start refresh',
  },
  ofItems: [domainProperty],
  parameters: { options: requestOptions(domainOptions, WHOLE_RUN) },
  execute: async (context, { options }) => await startRefreshes(context, options),
});
