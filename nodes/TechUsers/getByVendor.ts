import { companyColumns } from '../../src/api/companies';
import { domainOf } from '../../src/api/inputs';
import { LIMITS } from '../../src/api/limits';
import { companiesOfVendor, VENDOR_USER_FIELDS } from '../../src/api/technologies';
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
import { vendorDomainProperty } from './vendor-domain';

const PAGE_SIZE = LIMITS.companiesOfPageSize;

/** `GET /v1/vendors/{domain}/companies` */
export const getByVendor: Operation = {
  option: {
    name: 'Get by Vendor',
    value: 'getByVendor',
    description:
      "List companies that use any of a vendor's technologies. Costs 1 credit per company returned, unless it was read in the last 30 days.",
    action: 'Get users of a vendor',
  },
  properties: onlyFor('getByVendor', [
    vendorDomainProperty,
    ...pagingProperties,
    includeFirmographics,
    outputProperty,
    requestOptions(
      ...outputOptions(PAGE_SIZE),
      headerOption('the vendor and how many companies use it'),
      ifNotFoundOption,
      maxCreditsOption,
    ),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      vendorDomain: domainOf(parameters.get('vendorDomain'), 'Vendor Domain', 'keep'),
      include: parameters.words(parameters.get('include'), 'Include', LIST_SECTIONS),
      ...rowsPlanOf(parameters, PAGE_SIZE),
      ifNotFound: ifNotFoundOf(parameters),
    }),
    ask: async ({ vendorDomain, ifNotFound, ...request }, session) => {
      const { run } = session;
      const asked = { domain: vendorDomain };
      return await orNotFound(ifNotFound, asked, async () =>
        rowsOutput(session, companiesOfVendor(run, vendorDomain, request), {
          ...request,
          asked,
          name: `${vendorDomain}-companies`,
          columns: companyColumns(VENDOR_USER_FIELDS, request.include),
          pageSize: PAGE_SIZE,
        }),
      );
    },
  }),
};
