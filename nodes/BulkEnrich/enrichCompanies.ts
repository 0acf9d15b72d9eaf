import { BULK_COMPANIES_PATH, creditsOfCompany, lookUpCompanies } from '../../src/api/companies';
import { enrichRows } from '../../src/n8n/bulk/enrich-rows';
import { shapeOf } from '../../src/n8n/result-shape';
import { wholeRun } from '../../src/n8n/operation';
import { several } from '../../src/n8n/parameters/declare';
import { domainProperty } from '../shared/domain';
import { simplify, technologyColumns } from '../shared/simplify';
import { enrichOptions } from './options';

/** Evaluated for each item; items that want the same are asked for together. */
const include = several({
  displayName: 'Include',
  name: 'include',
  type: 'multiOptions',
  options: [
    {
      name: 'Firmographics',
      value: 'firmographics',
      description: 'Industry, size, country and age',
    },
    {
      name: 'Partnerships',
      value: 'partnerships',
      description: 'Partners of the company; each one returned may cost a credit too',
    },
    {
      name: 'Technologies',
      value: 'technologies',
      description: 'Technologies detected on its site',
    },
  ],
  default: ['firmographics', 'technologies'],
  description:
    'What to return about each company. Leaving sections out makes answers smaller and may cost less. An expression may say it for each item.',
});

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
  parameters: { simplify, options: enrichOptions({ technologyColumns }) },
  execute: async (context, { simplify: isFlat, options }) =>
    await enrichRows(context, options, {
      shape: shapeOf(context, { simplify: isFlat, ...options }),
      endpoint: BULK_COMPANIES_PATH,
      sections: include,
      ask: lookUpCompanies,
      creditsOf: creditsOfCompany,
    }),
});
