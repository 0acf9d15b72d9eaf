import { z } from 'zod/v4';
import { waitSeconds } from '../clock';
import { answer, endpoint, type Endpoint } from '../endpoint';
import { errors } from '../errors';
import { jobView } from '../jobs/store';
import { LIMITS } from '../limits';
import * as common from '../schemas/common';
import { refreshAccepted, refreshJob } from '../schemas/jobs';

export const jobEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/v1/companies/refresh',
    body: z.object({ domains: common.domains }),
    responses: { 202: refreshAccepted },
    handle({ service, account }, { body }) {
      const job = service.jobs.submit(account.key, body.domains, service.choices);
      service.recorder.count('jobs');
      return answer.accepted({ job_id: job.id }, { location: `/v1/jobs/${job.id}` });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/jobs/{job_id}',
    responses: { 200: refreshJob },
    handle({ service, account }, { params }) {
      const job = service.jobs.find(params.job_id, account.key);
      if (job === null) throw errors.notFound('job_not_found', 'There is no such job.');
      const { running, body } = jobView(job, service.clock.now());
      const wait = waitSeconds(service.clock.compressed(LIMITS.pollSeconds * 1000));
      return running
        ? { ...answer.ok(body), headers: { 'retry-after': String(wait) } }
        : answer.ok(body);
    },
  }),
];
