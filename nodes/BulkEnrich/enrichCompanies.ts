import { BULK_COMPANIES_PATH, creditsOfCompany, lookUpCompanies } from '../../src/api/companies';
import { enrichRows } from '../../src/n8n/rows/enrich';
import { shapeOf } from '../../src/n8n/result-shape';
import { wholeRun } from '../../src/n8n/operation';
import { domainProperty } from '../shared/company';
import { simplify, technologyColumns } from '../shared/output';
import { include } from './include';
import { enrichOptions } from './options';

/** `POST /v1/companies` for any number of rows. */
export const enrichCompanies = wholeRun({
  option: {
    name: 'Enrich Companies',
    value: 'enrichCompanies',
    description:
      'Add firmographics, technologies and partnerships. Costs 1 credit per tracked company, once in 30 days.',
    action: 'Enrich companies',
  },
  ofItems: [domainProperty, ...include.properties],
  parameters: { simplify, options: enrichOptions({ technologyColumns }) },
  execute: async (context, { simplify: isFlat, options }) =>
    await enrichRows(context, options, {
      shapeFor: (sections) => shapeOf({ simplify: isFlat, sections, ...options }),
      endpoint: BULK_COMPANIES_PATH,
      sections: include,
      ask: lookUpCompanies,
      creditsOf: creditsOfCompany,
    }),
});
