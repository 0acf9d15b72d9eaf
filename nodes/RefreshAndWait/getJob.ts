import { getJob as ask } from '../../src/api/jobs';
import { perItem } from '../../src/n8n/rows/per-item';
import { ifNotFound, requestOptions } from '../shared/options';
import { jobId } from './job-id';

/** `GET /v1/jobs/{job_id}` */
export const getJob = perItem({
  option: {
    name: 'Get Job',
    value: 'getJob',
    description: 'Get the state of a refresh job. Free. Ask again only after retry_after_seconds.',
    action: 'Get refresh job',
  },
  parameters: { job_id: jobId, options: requestOptions({ ifNotFound }) },
  asked: ({ job_id }) => ({ job_id }),
  ask: async ({ job_id }, { run }) => {
    const { row, finished, retryAfterMs } = await ask(run, job_id);
    const retry_after_seconds = retryAfterMs === undefined ? null : retryAfterMs / 1000;
    return { ...row, finished, retry_after_seconds };
  },
});
