import { z } from 'zod/v4';
import { waitSeconds } from '../clock';
import { requireBatch } from '../domains';
import { answer, endpoint, type Endpoint } from '../endpoint';
import { errors } from '../errors';
import { jobView } from '../jobs/store';
import { LIMITS } from '../limits';
import * as common from '../schemas/common';
import { refreshAccepted, refreshJob } from '../schemas/companies';

/** Refreshes of companies, flags about their data, and the status of the service. */
export const requestEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/v1/companies/refresh',
    body: z.object({ domains: common.domains }),
    responses: { 202: refreshAccepted },
    handle({ service, account }, { body }) {
      requireBatch(body.domains);
      const job = service.jobs.submit(account.key, body.domains, service.choices);
      service.recorder.created.jobs += 1;
      return { status: 202, body: { job_id: job.id }, headers: { location: `/v1/jobs/${job.id}` } };
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
      return answer.ok(body, running ? { 'retry-after': String(wait) } : {});
    },
  }),
  endpoint({
    method: 'POST',
    path: '/v1/companies/{identifier}/flags',
    body: z.object({ description: common.text(0, LIMITS.flagDescription).optional() }).nullish(),
    responses: {
      201: z.strictObject({ flag_id: z.int(), company_id: z.int(), status: z.literal('queued') }),
    },
    handle({ service }, { params, body }) {
      const company = service.world.resolve(params.identifier);
      if (company === null) throw errors.flagCompanyNotFound(params.identifier);
      const description = body?.description?.trim();
      const flagId = service.flags.length + 1;
      service.flags.push({ flagId, companyId: company.id, ...(description && { description }) });
      service.recorder.created.flags += 1;
      return answer.created({ flag_id: flagId, company_id: company.id, status: 'queued' });
    },
  }),
  endpoint({
    method: 'GET',
    // A choice: the API spec mentions `/v1/open/*` without paths (Lists, rule 7).
    path: '/v1/open/status',
    responses: { 200: z.strictObject({ status: z.literal('ok') }) },
    handle: () => answer.ok({ status: 'ok' }),
  }),
];
