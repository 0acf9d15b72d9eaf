import { getCompany } from '../../src/api/companies';
import { perItem } from '../../src/n8n/per-item/per-item';
import { company, includeSections } from '../shared/company';
import { ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';

/** `GET /v1/companies/{identifier}` */
export const get = perItem({
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get one company. Costs 1 credit unless it was read in the last 30 days.',
    action: 'Get a company',
  },
  parameters: {
    identifier: company(),
    include: includeSections,
    options: requestOptions({ ifNotFound, maxCredits, subdomains }),
  },
  asked: ({ identifier }) => ({ identifier }),
  ask: async ({ identifier, include }, { run }) => await getCompany(run, identifier, { include }),
});
