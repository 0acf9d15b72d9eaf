import { jobIdOf } from '../../src/api/jobs';
import { parameter } from '../../src/n8n/parameters/declare';

/** A refresh job, by the id that starting it gave. */
export const jobId = parameter(
  {
    displayName: 'Job ID',
    name: 'jobId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. {{ $json.job_id }}',
    description: 'The job_id that Start Refresh returned. Evaluated for every item.',
  },
  jobIdOf,
);
