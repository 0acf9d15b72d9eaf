import type { IDataObject } from 'n8n-workflow';

import {
  readEndpointObject,
  listCompanyColumns,
  toRowSource,
  listFields,
} from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import { getFlatColumns, toFlatCompany } from '../../src/service/flat-company';
import { parseIdentifier, InputError } from '../../src/input/inputs';
import { outputList } from '../../src/n8n/items/output-list';
import {
  collection,
  optionalNumber,
  parameter,
  optionalFlag,
} from '../../src/n8n/parameters/declare';
import { readOptionalText } from '../../src/n8n/parameters/parsers';
import { perItem } from '../../src/n8n/items/per-item';
import {
  company,
  includeFirmographics,
  includeSections,
  partnershipTypes,
} from '../shared/company';
import {
  chargedPaging,
  containsFilter,
  countOnly,
  fileOptions,
  outputAs,
  simplify,
  sort,
  technologyColumns,
} from '../shared/listParameters';
import { ifNotFound, maxCredits, createOptions, subdomains } from '../shared/options';

export const get = perItem({
  option: {
    name: 'Get Company',
    value: 'get',
    description: 'Get one company. Costs 1 credit per company, then free for 30 days.',
    action: 'Get company',
  },
  returns:
    'domain, status, company_name, industry, employee_range, country, technology_names, partnership_count',
  parameters: {
    identifier: company('Company', 'identifier', subdomains),
    include: includeSections,
    simplify,
    options: createOptions({
      ifNotFound,
      maxCredits,
      subdomains,
      technologyColumns,
    }),
  },
  company: 'identifier',
  requestFieldsOf: ({ identifier }) => ({ identifier, status: 'not_tracked' }),
  execute: async ({ identifier, simplify: isFlat, options, include }, { run }) => {
    const row = await readEndpointObject(run, api.company, { identifier, include });
    if (!isFlat) return row;
    // The number of partners is returned whatever Include says.
    const sections = ['partnerships', ...(include?.split(',') ?? [])];
    const { technologyColumns: keys } = options;
    const fields = listCompanyColumns(listFields(api.company), include);
    const columns = getFlatColumns(['status', ...fields, 'last_seen_at'], keys);
    const json = toFlatCompany(
      { ...row, status: 'tracked' },
      { sections, technologyColumns: keys },
    ) as IDataObject;
    return [{ json, columns }];
  },
});

const SORT_FIELDS = [
  { name: 'Name', value: 'name' },
  { name: 'Number of Partners', value: 'partnership_count' },
];

const chosenFilters = collection(
  {
    displayName: 'Filters',
    name: 'filters',
    placeholder: 'Add filter',
    default: {},
    description: 'Only companies that match all filters',
  },
  {
    has_partner_page: optionalFlag({
      displayName: 'Has Partner Page',
      name: 'hasPartnerPage',
      type: 'boolean',
      default: true,
      description:
        'Whether to return only companies with a page about their partners; off returns only those without',
    }),
    partner_count_max: optionalNumber({
      displayName: 'Maximum Number of Partners',
      name: 'partnerCountMax',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 100,
      description: 'Only companies with up to this many partners',
    }),
    partner_count_min: optionalNumber({
      displayName: 'Minimum Number of Partners',
      name: 'partnerCountMin',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 1,
      description: 'Only companies with at least this many partners',
    }),
    q: containsFilter('q', 'companies'),
    partner_with: parameter(
      {
        displayName: 'Partner With',
        name: 'partnerWith',
        type: 'string',
        default: '',
        placeholder: 'e.g. example.com',
        description: 'Only partners of this company (domain or slug)',
      },
      (value, name) =>
        readOptionalText(value) === undefined ? undefined : parseIdentifier(value, name, 'strip'),
    ),
    partnership_types: partnershipTypes,
  },
);

const filters: typeof chosenFilters = {
  ...chosenFilters,
  read: (place) => {
    const values = chosenFilters.read(place);
    const { partner_count_min: min = 0, partner_count_max: max = Infinity } = values;
    if (min <= max) return values;
    throw new InputError(
      'Minimum Number of Partners is larger than Maximum Number of Partners',
      'Correct one of them: no company can match both. Nothing was sent.',
    );
  },
};

export const getMany = perItem({
  option: {
    name: 'Get Many Companies',
    value: 'getMany',
    description:
      'List companies that match filters. Costs 1 credit per company, then free for 30 days.',
    action: 'Get many companies',
  },
  returns: 'domain, company_name, industry, employee_range, country, partnership_count',
  counts: 'rows',
  parameters: {
    wanted: chargedPaging,
    countOnly,
    filters,
    sort: sort(SORT_FIELDS, '-partnership_count'),
    include: includeFirmographics,
    simplify,
    output: outputAs,
    options: createOptions({ ...fileOptions, maxCredits }),
  },
  execute: async ({ filters: chosen, sort: order, include, ...parameters }, session) =>
    await outputList(session, parameters, {
      ...toRowSource(session.run, api.companies, { ...chosen, sort: order, include }),
      name: 'companies',
    }),
});
