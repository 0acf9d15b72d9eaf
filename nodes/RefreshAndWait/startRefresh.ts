import { startRefreshes } from '../../src/n8n/jobs/refresh-rows';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { domainProperty } from '../shared/domain';
import { startRefreshOptions } from './options';

/** `POST /v1/companies/refresh` */
export const startRefresh: Operation = {
  option: {
    name: 'Start Refresh',
    value: 'startRefresh',
    description:
      "Start to crawl the companies of all items anew, and return one item for each job. Free. n8n's Retry On Fail never starts a job twice, but its Retry Execution button does.",
    action: 'Start a refresh',
  },
  properties: onlyFor('startRefresh', [domainProperty, startRefreshOptions]),
  execute: startRefreshes,
};
