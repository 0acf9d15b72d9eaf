import { waitForJobs } from '../../src/n8n/jobs/wait';
import { wholeRun } from '../../src/n8n/operation';
import { requestOptions } from '../shared/options';
import { WHOLE_RUN } from '../shared/rows';
import { jobId } from './job-id';
import { waitOptions } from './options';

/** `GET /v1/jobs/{job_id}` until all jobs are over */
export const waitForJob = wholeRun({
  option: {
    name: 'Wait for Job',
    value: 'waitForJob',
    description: 'Wait for refresh jobs that were started before. Free.',
    action: 'Wait for refresh job',
  },
  ofItems: jobId.properties,
  parameters: { options: requestOptions(waitOptions, WHOLE_RUN) },
  execute: async (context, { options }) => await waitForJobs(context, options, jobId),
});
