import { COMPANY_FIELDS, companyColumns, listCompanies } from '../../src/api/companies';
import { identifierOf, InputError } from '../../src/input/inputs';
import { LIMITS } from '../../src/input/limits';
import { outputRows } from '../../src/n8n/files/rows-output';
import { collection, optionalNumber, parameter, yesOrNo } from '../../src/n8n/parameters/declare';
import { textOf } from '../../src/n8n/parameters/values';
import { perItem } from '../../src/n8n/per-item/per-item';
import { includeFirmographics, partnershipTypes } from '../shared/company';
import { contains } from '../shared/name-contains';
import { maxCredits, requestOptions, subdomains } from '../shared/options';
import { fileOptions, outputAs } from '../shared/output';
import { billedPaging, countOnly } from '../shared/paging';
import { simplify } from '../shared/simplify';
import { sort } from '../shared/sort';

const SORT_FIELDS = [
  { name: 'Name', value: 'name' },
  { name: 'Number of Partners', value: 'partnership_count' },
];

/** Under the names of the interface's query parameters. */
const filters = collection(
  {
    displayName: 'Filters',
    name: 'filters',
    placeholder: 'Add filter',
    default: {},
    description: 'Only companies that match all of them',
  },
  {
    has_partner_page: yesOrNo({
      displayName: 'Has Partner Page',
      name: 'hasPartnerPage',
      type: 'boolean',
      default: true,
      description: 'Whether the company has a page about its partners',
    }),
    partner_count_max: optionalNumber({
      displayName: 'Maximum Number of Partners',
      name: 'partnerCountMax',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 100,
      description: 'Only companies with at most this many',
    }),
    partner_count_min: optionalNumber({
      displayName: 'Minimum Number of Partners',
      name: 'partnerCountMin',
      type: 'number',
      typeOptions: { minValue: 0 },
      default: 1,
      description: 'Only companies with at least this many',
    }),
    q: contains('q', 'companies'),
    partner_with: parameter(
      {
        displayName: 'Partner With',
        name: 'partnerWith',
        type: 'string',
        default: '',
        placeholder: 'e.g. example.com',
        description: 'Only companies that have a partnership with this one (domain or slug)',
      },
      (value, name, place) =>
        textOf(value) === undefined
          ? undefined
          : identifierOf(value, name, subdomains.read(place.in('options'))),
    ),
    partnership_types: partnershipTypes,
  },
);

/** `GET /v1/companies` */
export const getMany = perItem({
  option: {
    name: 'Get Many Companies',
    value: 'getMany',
    description: 'List companies that match filters. Costs 1 credit per company, once in 30 days.',
    action: 'Get many companies',
  },
  parameters: {
    wanted: billedPaging,
    countOnly,
    filters,
    sort: sort(SORT_FIELDS, '-partnership_count'),
    include: includeFirmographics,
    simplify,
    output: outputAs,
    options: requestOptions({ ...fileOptions(LIMITS.pageSize), maxCredits, subdomains }),
  },
  plan: (values) => {
    const { partner_count_min: min = 0, partner_count_max: max = Infinity } = values.filters;
    if (min <= max) return values;
    throw new InputError(
      'Minimum Number of Partners is larger than Maximum Number of Partners',
      'No company can match both; correct one of them.',
    );
  },
  ask: async ({ filters: chosen, sort: order, include, ...form }, session) =>
    await outputRows(session, form, {
      pages: (range) => listCompanies(session.run, { ...chosen, sort: order, include }, range),
      pageSize: LIMITS.pageSize,
      asked: {},
      name: 'companies',
      columns: companyColumns(COMPANY_FIELDS, include),
    }),
});
