import { waitForJobs } from '../../src/n8n/jobs/wait-for-jobs';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { jobIdProperty } from './job-id';
import { waitForJobOptions } from './options';

/** `GET /v1/jobs/{job_id}` until all jobs are over */
export const waitForJob: Operation = {
  option: {
    name: 'Wait for Job',
    value: 'waitForJob',
    description: 'Wait until refresh jobs are over that were started before. Free.',
    action: 'Wait for a refresh job',
  },
  properties: onlyFor('waitForJob', [jobIdProperty, waitForJobOptions]),
  execute: waitForJobs,
};
