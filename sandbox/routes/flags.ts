import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../endpoint';
import { errors } from '../errors';
import { LIMITS } from '../limits';
import * as common from '../schemas/common';

export const flagEndpoints: Endpoint[] = [
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
      const flag = service.flags.add(company.id, body?.description);
      service.recorder.count('flags');
      return answer.created({ flag_id: flag.flagId, company_id: company.id, status: 'queued' });
    },
  }),
];
