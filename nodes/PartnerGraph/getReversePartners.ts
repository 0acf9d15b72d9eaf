import { companyColumns } from '../../src/api/companies';
import { domainOf } from '../../src/input/inputs';
import { LIMITS } from '../../src/input/limits';
import { companiesOfPartner, REVERSE_PARTNER_FIELDS } from '../../src/api/partnerships';
import { outputRows } from '../../src/n8n/files/rows-output';
import { parameter } from '../../src/n8n/parameters/declare';
import { perItem } from '../../src/n8n/per-item/per-item';
import { includeFirmographics } from '../shared/company';
import { header, ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';
import { fileOptions, outputAs } from '../shared/output';
import { billedPaging, countOnly } from '../shared/paging';
import { simplify } from '../shared/simplify';

/** `GET /v1/partnerships/{partner_domain}/companies` */
export const getReversePartners = perItem({
  option: {
    name: 'Get Reverse Partners',
    value: 'getReversePartners',
    description:
      'List companies that name a partner as theirs. Costs 1 credit per company, once in 30 days.',
    action: 'Get companies that name partner',
  },
  parameters: {
    partner_domain: parameter(
      {
        displayName: 'Partner Domain',
        name: 'partnerDomain',
        type: 'string',
        required: true,
        default: '',
        placeholder: 'e.g. example.com',
        description: 'Domain of the partner that the companies name',
      },
      (value, name, place) => domainOf(value, name, subdomains.read(place.in('options'))),
    ),
    wanted: billedPaging,
    countOnly,
    include: includeFirmographics,
    simplify,
    output: outputAs,
    options: requestOptions({
      ...fileOptions(LIMITS.pageSize),
      header: header('the partner and how many companies name it'),
      ifNotFound,
      maxCredits,
      subdomains,
    }),
  },
  asked: ({ partner_domain }) => ({ partner_domain }),
  ask: async ({ partner_domain, include, ...form }, session) =>
    await outputRows(session, form, {
      pages: (range) => companiesOfPartner(session.run, partner_domain, { include }, range),
      pageSize: LIMITS.pageSize,
      asked: { partner_domain },
      name: `companies-naming-${partner_domain}`,
      columns: companyColumns(REVERSE_PARTNER_FIELDS, include),
    }),
});
