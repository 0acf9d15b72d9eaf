import { companyColumns } from '../../src/api/companies';
import { LIMITS } from '../../src/input/limits';
import { withSuggestions } from '../../src/api/suggestions';
import { companiesOfTechnology, TECHNOLOGY_USER_FIELDS } from '../../src/api/technologies';
import { outputRows } from '../../src/n8n/files/rows-output';
import { perItem } from '../../src/n8n/per-item/per-item';
import { includeFirmographics } from '../shared/company';
import { header, ifNotFound, maxCredits, requestOptions } from '../shared/options';
import { fileOptions, outputAs } from '../shared/output';
import { billedPaging, countOnly } from '../shared/paging';
import { simplify } from '../shared/simplify';
import { techKey } from './tech-key';

const PAGE_SIZE = LIMITS.companiesOfPageSize;

/** `GET /v1/technologies/{tech_key}/companies` */
export const getByTechnology = perItem({
  option: {
    name: 'Get Users by Technology',
    value: 'getByTechnology',
    description:
      'List companies that use a technology. Costs 1 credit per company, once in 30 days.',
    action: 'Get users by technology',
  },
  parameters: {
    techKey,
    wanted: billedPaging,
    countOnly,
    include: includeFirmographics,
    simplify,
    output: outputAs,
    options: requestOptions({
      ...fileOptions(PAGE_SIZE),
      header: header('the technology and how many companies use it'),
      ifNotFound,
      maxCredits,
    }),
  },
  asked: (plan) => ({ tech_key: plan.techKey }),
  ask: async ({ techKey: key, include, ...form }, session) =>
    await withSuggestions(session.run, key, async () =>
      outputRows(session, form, {
        pages: (range) => companiesOfTechnology(session.run, key, { include }, range),
        pageSize: PAGE_SIZE,
        asked: { tech_key: key },
        name: `${key}-companies`,
        columns: companyColumns(TECHNOLOGY_USER_FIELDS, include),
      }),
    ),
});
