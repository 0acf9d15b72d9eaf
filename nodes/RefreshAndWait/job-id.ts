import type { INodeProperties } from 'n8n-workflow';

/** A refresh job, by the id that starting it gave. */
export const jobIdProperty: INodeProperties = {
  displayName: 'Job ID',
  name: 'jobId',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. {{ $json.job_id }}',
  description: 'The job_id that Start Refresh returned. Evaluated for every item.',
};
