import { companyColumns } from '../../src/api/companies';
import { domainOf } from '../../src/api/inputs';
import { LIMITS } from '../../src/api/limits';
import { companiesOfPartner, REVERSE_PARTNER_FIELDS } from '../../src/api/partnerships';
import { rowsOutput, rowsPlanOf } from '../../src/n8n/files/rows-output';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { subdomainsOf } from '../../src/n8n/per-item/parameters';
import { perItem } from '../../src/n8n/per-item/per-item';
import { includeFirmographics, LIST_SECTIONS } from '../shared/company';
import {
  headerOption,
  ifNotFoundOption,
  maxCreditsOption,
  requestOptions,
  subdomainsOption,
} from '../shared/options';
import { outputOptions, outputProperty } from '../shared/output';
import { pagingProperties } from '../shared/paging';

/** `GET /v1/partnerships/{partner_domain}/companies` */
export const getReversePartners: Operation = {
  option: {
    name: 'Get Reverse Partners',
    value: 'getReversePartners',
    description:
      'List companies that name a partner as theirs. Costs 1 credit per company returned, unless it was read in the last 30 days.',
    action: 'Get companies that name a partner',
  },
  properties: onlyFor('getReversePartners', [
    {
      displayName: 'Partner Domain',
      name: 'partnerDomain',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. example.com',
      description: 'Domain of the partner that the companies name',
    },
    ...pagingProperties,
    includeFirmographics,
    outputProperty,
    requestOptions(
      ...outputOptions(LIMITS.pageSize),
      headerOption('the partner and how many companies name it'),
      ifNotFoundOption,
      maxCreditsOption,
      subdomainsOption,
    ),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      partnerDomain: domainOf(
        parameters.get('partnerDomain'),
        'Partner Domain',
        subdomainsOf(parameters),
      ),
      include: parameters.words(parameters.get('include'), 'Include', LIST_SECTIONS),
      ...rowsPlanOf(parameters, LIMITS.pageSize),
      ifNotFound: ifNotFoundOf(parameters),
    }),
    ask: async ({ partnerDomain, ifNotFound, ...request }, session) => {
      const { run } = session;
      const asked = { partner_domain: partnerDomain };
      return await orNotFound(ifNotFound, asked, async () =>
        rowsOutput(session, companiesOfPartner(run, partnerDomain, request), {
          ...request,
          asked,
          name: `companies-naming-${partnerDomain}`,
          columns: companyColumns(REVERSE_PARTNER_FIELDS, request.include),
          pageSize: LIMITS.pageSize,
        }),
      );
    },
  }),
};
