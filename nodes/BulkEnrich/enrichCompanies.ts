import type { IExecuteFunctions } from 'n8n-workflow';

import { BULK_COMPANIES_PATH, creditsOfCompany, lookUpCompanies } from '../../src/api/companies';
import { enrichRows } from '../../src/n8n/bulk/enrich-rows';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { ItemParameters } from '../../src/n8n/per-item/parameters';
import { domainProperty } from '../shared/domain';
import { enrichOptions } from './options';

const SECTIONS = ['firmographics', 'technologies', 'partnerships'] as const;

/** `POST /v1/companies` for any number of rows. */
export const enrichCompanies: Operation = {
  option: {
    name: 'Enrich Companies',
    value: 'enrichCompanies',
    description:
      'Add firmographics, technologies and partnerships. Costs 1 credit per tracked company; companies read in the last 30 days are free.',
    action: 'Enrich companies',
  },
  properties: onlyFor('enrichCompanies', [
    domainProperty,
    {
      displayName: 'Include',
      name: 'include',
      type: 'multiOptions',
      noDataExpression: true,
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
        'What to return about each company. Leaving sections out makes answers smaller and may cost less.',
    },
    enrichOptions,
  ]),
  execute: async (context: IExecuteFunctions) => {
    const parameters = new ItemParameters(context, 0);
    const include = parameters.chosen(parameters.get('include'), 'Include', SECTIONS);
    return await enrichRows(context, {
      endpoint: BULK_COMPANIES_PATH,
      ask: async (run, batch) => await lookUpCompanies(run, batch, include),
      creditsOf: creditsOfCompany,
    });
  },
};
