import * as jobs from '../../src/service/jobs';
import * as refresh from '../../src/n8n/jobs/refresh';
import { waitForJobs } from '../../src/n8n/jobs/wait';
import { forAllItems } from '../../src/n8n/operation';
import { parameter } from '../../src/n8n/parameters/declare';
import { perItem } from '../../src/n8n/items/per-item';
import { domainProperty } from '../shared/company';
import { ifNotFound, createOptions } from '../shared/options';
import { domainOptions, rowOutput, WHOLE_RUN } from '../shared/rows';
import { waitOptions } from './options';

const jobId = parameter(
  {
    displayName: 'Job ID',
    name: 'jobId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. {{ $json.job_id }}',
    description: 'The job_id that Start Refresh returned. Evaluated for each item.',
  },
  jobs.parseJobId,
);

export const getJob = perItem({
  option: {
    name: 'Get Job',
    value: 'getJob',
    description:
      'Get the status of a refresh job. Free. Wait retry_after_seconds before you get it again.',
    action: 'Get refresh job',
  },
  returns: 'job_id, status, finished, domains, retry_after_seconds',
  parameters: { job_id: jobId, options: createOptions({ ifNotFound }) },
  requestFieldsOf: ({ job_id }) => ({ job_id }),
  execute: async ({ job_id }, { run }) => {
    const { row, finished, retryAfterMs } = await jobs.getJob(run, job_id);
    const retry_after_seconds = retryAfterMs === undefined ? null : retryAfterMs / 1000;
    return { ...row, finished, retry_after_seconds };
  },
});

const rows = rowOutput('refresh_');

export const refreshAndWait = forAllItems({
  option: {
    name: 'Refresh and Wait',
    value: 'refreshAndWait',
    description: 'Refresh companies and wait for the result. Free.',
    action: 'Refresh companies and wait',
  },
  returns: 'domain, status, job_id',
  ofItems: [domainProperty],
  parameters: {
    options: createOptions(
      {
        ...waitOptions,
        ...domainOptions,
        output: rows.output,
        columnPrefix: rows.columnPrefix,
      },
      WHOLE_RUN,
    ),
    mappingNotice: rows.mappingNotice,
  },
  execute: async (context, { options }) => await refresh.refreshAndWait(context, options),
});

export const startRefresh = forAllItems({
  option: {
    name: 'Start Refresh',
    value: 'startRefresh',
    description:
      "Start refreshing the companies of all items. Free. Retry On Fail won't start twice; Retry execution will.",
    action: 'Start refresh',
  },
  returns: 'job_id, domains',
  ofItems: [domainProperty],
  parameters: { options: createOptions(domainOptions, WHOLE_RUN) },
  execute: async (context, { options }) => await refresh.startRefreshes(context, options),
});

export const waitForJob = forAllItems({
  option: {
    name: 'Wait for Job',
    value: 'waitForJob',
    description: 'Wait for refresh jobs that Start Refresh started. Free.',
    action: 'Wait for refresh job',
  },
  returns: 'job_id, status, finished, domains',
  ofItems: jobId.properties,
  parameters: { options: createOptions(waitOptions, WHOLE_RUN) },
  execute: async (context, { options }) => await waitForJobs(context, options, jobId),
});
