import { BULK_COMPANIES_PATH, creditsOfCompany, lookUpCompanies } from '../../src/api/companies';
import { enrichRows } from '../../src/n8n/bulk/enrich-rows';
import { wholeRun } from '../../src/n8n/operation';
import { domainProperty } from '../shared/domain';
import { include } from './include';
import { enrichOptions } from './options';

/** `POST /v1/companies` for any number of rows. */
export const enrichCompanies = wholeRun({
  option: {
    name: 'Enrich Companies',
    value: 'enrichCompanies',
    description:
      'Add firmographics, technologies and partnerships. Costs 1 credit per tracked company; companies read in the last 30 days are free.',
    action: 'Enrich companies',
  },
  ofItems: [domainProperty, ...include.properties],
  parameters: { options: enrichOptions },
  execute: async (context, { options }) =>
    await enrichRows(context, options, {
      endpoint: BULK_COMPANIES_PATH,
      sections: include,
      ask: lookUpCompanies,
      creditsOf: creditsOfCompany,
    }),
});
