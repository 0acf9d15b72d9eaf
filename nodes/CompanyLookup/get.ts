import { getCompany } from '../../src/api/companies';
import { perItem } from '../../src/n8n/per-item/per-item';
import { shapeOf } from '../../src/n8n/result-shape';
import { company, includeSections } from '../shared/company';
import { ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';
import { rowOutput } from '../shared/rows';
import { simplify, technologyColumns } from '../shared/simplify';

/** `GET /v1/companies/{identifier}` */
export const get = perItem({
  option: {
    name: 'Get Company',
    value: 'get',
    description: 'Get one company. Costs 1 credit, once in 30 days.',
    action: 'Get company',
  },
  parameters: {
    identifier: company(),
    include: includeSections,
    simplify,
    options: requestOptions({
      ...rowOutput('enrichment', 'enriched_'),
      ifNotFound,
      maxCredits,
      subdomains,
      technologyColumns,
    }),
  },
  asked: ({ identifier }) => ({ identifier }),
  ask: async ({ identifier, simplify: isFlat, options, ...query }, { run }) => {
    const row = await getCompany(run, identifier, query);
    return shapeOf({ simplify: isFlat, ...options })(row);
  },
});
