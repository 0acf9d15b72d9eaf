import { COMPANY_FIELDS, companyColumns, listCompanies } from '../../src/api/companies';
import { identifierOf, InputError, wholeNumberOf } from '../../src/api/inputs';
import { LIMITS } from '../../src/api/limits';
import { rowsOutput, rowsPlanOf } from '../../src/n8n/files/rows-output';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { queryTextOf, textOf, type ItemParameters } from '../../src/n8n/per-item/parameters';
import { perItem } from '../../src/n8n/per-item/per-item';
import {
  includeFirmographics,
  LIST_SECTIONS,
  PARTNERSHIP_TYPES,
  partnershipTypes,
} from '../shared/company';
import { maxCreditsOption, requestOptions } from '../shared/options';
import { outputOptions, outputProperty } from '../shared/output';
import { pagingProperties } from '../shared/paging';
import { sortProperty, sortWords } from '../shared/sort';

const SORT_FIELDS = [
  { name: 'Name', value: 'name' },
  { name: 'Number of Partners', value: 'partnership_count' },
];
const DEFAULT_SORT = '-partnership_count';

/** `GET /v1/companies` */
export const getMany: Operation = {
  option: {
    name: 'Get Many',
    value: 'getMany',
    description:
      'List companies that match filters. Costs 1 credit per company returned, unless it was read in the last 30 days.',
    action: 'Get many companies',
  },
  properties: onlyFor('getMany', [
    ...pagingProperties,
    {
      displayName: 'Filters',
      name: 'filters',
      type: 'collection',
      placeholder: 'Add filter',
      default: {},
      options: [
        {
          displayName: 'Has Partner Page',
          name: 'hasPartnerPage',
          type: 'boolean',
          default: true,
          description: 'Whether the company has a page about its partners',
        },
        {
          displayName: 'Maximum Number of Partners',
          name: 'partnerCountMax',
          type: 'number',
          typeOptions: { minValue: 0 },
          default: 100,
        },
        {
          displayName: 'Minimum Number of Partners',
          name: 'partnerCountMin',
          type: 'number',
          typeOptions: { minValue: 0 },
          default: 1,
        },
        {
          displayName: 'Name Contains',
          name: 'q',
          type: 'string',
          default: '',
          description: 'Text to look for in the name of the company',
        },
        {
          displayName: 'Partner With',
          name: 'partnerWith',
          type: 'string',
          default: '',
          placeholder: 'e.g. example.com',
          description: 'Only companies that have a partnership with this one (domain or slug)',
        },
        partnershipTypes,
      ],
    },
    sortProperty(SORT_FIELDS, DEFAULT_SORT),
    includeFirmographics,
    outputProperty,
    requestOptions(...outputOptions(LIMITS.pageSize), maxCreditsOption),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      ...rowsPlanOf(parameters, LIMITS.pageSize),
      filters: {
        ...filtersOf(parameters),
        sort: parameters.choice(
          parameters.get('sort'),
          'Sort',
          sortWords(SORT_FIELDS),
          DEFAULT_SORT,
        ),
        include: parameters.words(parameters.get('include'), 'Include', LIST_SECTIONS),
      },
    }),
    ask: async ({ filters, ...request }, session) =>
      await rowsOutput(session, listCompanies(session.run, filters, request), {
        ...request,
        asked: {},
        name: 'companies',
        columns: companyColumns(COMPANY_FIELDS, filters.include),
        pageSize: LIMITS.pageSize,
      }),
  }),
};

function filtersOf(parameters: ItemParameters) {
  const filter = (name: string) => parameters.in('filters', name);
  const count = (name: string, label: string) => {
    const value = filter(name);
    return value === undefined || value === ''
      ? undefined
      : wholeNumberOf(value, label, { min: 0 });
  };
  const partner_count_min = count('partnerCountMin', 'Minimum Number of Partners');
  const partner_count_max = count('partnerCountMax', 'Maximum Number of Partners');
  if ((partner_count_min ?? 0) > (partner_count_max ?? Infinity)) {
    throw new InputError(
      'Minimum Number of Partners is larger than Maximum Number of Partners',
      'No company can match both; correct one of them.',
    );
  }
  const partnerWith = textOf(filter('partnerWith'));
  return {
    q: queryTextOf(filter('q'), 'Name Contains'),
    partner_with:
      partnerWith === undefined ? undefined : identifierOf(partnerWith, 'Partner With', 'strip'),
    partnership_types: parameters.words(
      filter('partnershipTypes'),
      'Partnership Types',
      PARTNERSHIP_TYPES,
    ),
    partner_count_min,
    partner_count_max,
    has_partner_page: parameters.yesOrNo(filter('hasPartnerPage'), 'Has Partner Page'),
  };
}
