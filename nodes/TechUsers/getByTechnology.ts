import { companyColumns } from '../../src/api/companies';
import { techKeyOf } from '../../src/api/inputs';
import { LIMITS } from '../../src/api/limits';
import { companiesOfTechnology, TECHNOLOGY_USER_FIELDS } from '../../src/api/technologies';
import { withSuggestions } from '../../src/api/suggestions';
import { rowsOutput, rowsPlanOf } from '../../src/n8n/files/rows-output';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { perItem } from '../../src/n8n/per-item/per-item';
import { includeFirmographics, LIST_SECTIONS } from '../shared/company';
import {
  headerOption,
  ifNotFoundOption,
  maxCreditsOption,
  requestOptions,
} from '../shared/options';
import { outputOptions, outputProperty } from '../shared/output';
import { pagingProperties } from '../shared/paging';
import { techKeyProperty } from './tech-key';

const PAGE_SIZE = LIMITS.companiesOfPageSize;

/** `GET /v1/technologies/{tech_key}/companies` */
export const getByTechnology: Operation = {
  option: {
    name: 'Get by Technology',
    value: 'getByTechnology',
    description:
      'List companies that use a technology. Costs 1 credit per company returned, unless it was read in the last 30 days.',
    action: 'Get users of a technology',
  },
  properties: onlyFor('getByTechnology', [
    techKeyProperty,
    ...pagingProperties,
    includeFirmographics,
    outputProperty,
    requestOptions(
      ...outputOptions(PAGE_SIZE),
      headerOption('the technology and how many companies use it'),
      ifNotFoundOption,
      maxCreditsOption,
    ),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      techKey: techKeyOf(parameters.get('techKey')),
      include: parameters.words(parameters.get('include'), 'Include', LIST_SECTIONS),
      ...rowsPlanOf(parameters, PAGE_SIZE),
      ifNotFound: ifNotFoundOf(parameters),
    }),
    ask: async ({ techKey, ifNotFound, ...request }, session) => {
      const { run } = session;
      const asked = { tech_key: techKey };
      return await orNotFound(ifNotFound, asked, async () =>
        withSuggestions(run, techKey, async () =>
          rowsOutput(session, companiesOfTechnology(run, techKey, request), {
            ...request,
            asked,
            name: `${techKey}-companies`,
            columns: companyColumns(TECHNOLOGY_USER_FIELDS, request.include),
            pageSize: PAGE_SIZE,
          }),
        ),
      );
    },
  }),
};
