import { readEndpointObject, toRowSource } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import { getFlatColumns, toFlatCompany } from '../../src/service/flat-company';
import { readPair, toFlatPartners, toFlatSharedPartners } from '../../src/service/partnerships';
import { parseDomain } from '../../src/input/inputs';
import { parameter } from '../../src/n8n/parameters/declare';
import { outputList } from '../../src/n8n/items/output-list';
import { perItem } from '../../src/n8n/items/per-item';
import { describePair, company, companyPair, partnershipTypes } from '../shared/company';
import {
  chargedPaging,
  companyRows,
  containsFilter,
  countOnly,
  fileOptions,
  offset,
  simplify,
  sort,
} from '../shared/listParameters';
import { ifNotFound, maxCredits, createOptions } from '../shared/options';

const SORT_FIELDS = [
  { name: 'First Observed', value: 'first_observed_at' },
  { name: 'Last Observed', value: 'last_observed_at' },
  { name: 'Number of Observations', value: 'observation_count' },
];

export const getPartners = perItem({
  option: {
    name: 'Get Partners',
    value: 'getPartners',
    description:
      'List the partners of a company. Costs 1 credit per partner, then free for 30 days.',
    action: 'Get partners',
  },
  returns: 'domain, of_domain, partner_name, partnership_type, last_observed_at',
  counts: 'rows',
  parameters: {
    identifier: company(),
    wanted: chargedPaging,
    countOnly,
    q: containsFilter('q', 'partners'),
    partnership_types: partnershipTypes,
    sort: sort(SORT_FIELDS, '-last_observed_at'),
    simplify,
    options: createOptions({ ifNotFound, maxCredits, offset }),
  },
  company: 'identifier',
  requestFieldsOf: ({ identifier }) => ({ identifier }),
  execute: async ({ identifier, q, partnership_types, sort: order, ...parameters }, session) => {
    const request = { identifier, q, partnership_types, sort: order };
    return await outputList(session, parameters, {
      ...toRowSource(session.run, api.partners, request),
      flat: toFlatPartners(identifier),
    });
  },
});

export const getPartnership = perItem({
  option: {
    name: 'Get Partnership',
    value: 'getPartnership',
    description:
      'Get a partnership of two companies with its sources. Costs up to 1 credit per company.',
    action: 'Get partnership',
  },
  returns: 'company_a, company_b, partnership_type, shared_partner_count, attributions',
  parameters: { ...companyPair, options: createOptions({ ifNotFound, maxCredits }) },
  requestFieldsOf: describePair,
  execute: async ({ identifier_a, identifier_b }, { run }) => {
    const pair = { identifier_a, identifier_b };
    return await readPair(pair, async () => await readEndpointObject(run, api.partnership, pair));
  },
});

export const getReversePartners = perItem({
  option: {
    name: 'Get Reverse Partners',
    value: 'getReversePartners',
    description:
      'List companies that name this company as a partner. Costs 1 credit per company, then free for 30 days.',
    action: 'Get reverse partners',
  },
  returns: 'domain, of_domain, company_name, industry, employee_range, country, last_seen_at',
  counts: 'rows',
  parameters: {
    partner_domain: parameter(
      {
        displayName: 'Partner Domain',
        name: 'partnerDomain',
        type: 'string',
        required: true,
        default: '',
        placeholder: 'e.g. example.com',
        description: 'Domain of the partner',
      },
      (value, name) => parseDomain(value, name, 'strip', 'pages'),
    ),
    ...companyRows,
    options: createOptions({ ...fileOptions, ifNotFound, maxCredits }),
  },
  company: 'partner_domain',
  requestFieldsOf: ({ partner_domain }) => ({ partner_domain }),
  execute: async ({ partner_domain, include, ...parameters }, session) => {
    const list = toRowSource(session.run, api.reversePartners, { partner_domain, include });
    return await outputList(session, parameters, {
      ...list,
      name: `companies-naming-${partner_domain}`,
      flat: {
        columns: [...getFlatColumns(list.columns), 'of_domain'],
        toRow: (row) => ({ ...toFlatCompany(row), of_domain: partner_domain }),
      },
    });
  },
});

export const getSharedPartners = perItem({
  option: {
    name: 'Get Shared Partners',
    value: 'getSharedPartners',
    description:
      'List shared partners of two partnered companies. Costs 1 credit per partner, then free for 30 days.',
    action: 'Get shared partners',
  },
  returns: 'domain, of_domain, company_name, partnership_count',
  counts: 'rows',
  parameters: {
    ...companyPair,
    wanted: chargedPaging,
    countOnly,
    simplify,
    options: createOptions({ ifNotFound, maxCredits, offset }),
  },
  requestFieldsOf: describePair,
  execute: async ({ identifier_a, identifier_b, ...parameters }, session) => {
    const pair = { identifier_a, identifier_b };
    const list = {
      ...toRowSource(session.run, api.sharedPartners, pair),
      flat: toFlatSharedPartners(pair),
    };
    return await readPair(pair, async () => await outputList(session, parameters, list));
  },
});
