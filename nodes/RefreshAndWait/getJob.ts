import type { IDataObject } from 'n8n-workflow';

import { getJob as ask, jobIdOf } from '../../src/api/jobs';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { perItem } from '../../src/n8n/per-item/per-item';
import { ifNotFoundOption, requestOptions } from '../shared/options';
import { jobIdProperty } from './job-id';

/** `GET /v1/jobs/{job_id}` */
export const getJob: Operation = {
  option: {
    name: 'Get Job',
    value: 'getJob',
    description:
      'Get where a refresh job stands, without waiting. Free. Ask again only after retry_after_seconds.',
    action: 'Get a refresh job',
  },
  properties: onlyFor('getJob', [jobIdProperty, requestOptions(ifNotFoundOption)]),
  execute: perItem({
    plan: (parameters) => ({
      jobId: jobIdOf(parameters.get('jobId')),
      ifNotFound: ifNotFoundOf(parameters),
    }),
    ask: async ({ jobId, ifNotFound }, { run }) =>
      await orNotFound(ifNotFound, { job_id: jobId }, async () => {
        const { row, finished, retryAfterMs } = await ask(run, jobId);
        const retry_after_seconds = retryAfterMs === undefined ? null : retryAfterMs / 1000;
        return [{ json: { ...(row as IDataObject), finished, retry_after_seconds } }];
      }),
  }),
};
