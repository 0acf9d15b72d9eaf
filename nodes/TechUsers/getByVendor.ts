import { domainOf } from '../../src/api/inputs';
import { companiesOfVendor } from '../../src/api/technologies';
import { headerOf, listingOutput, wantedFor } from '../../src/n8n/per-item/listing-output';
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
import { pagingProperties } from '../shared/paging';
import { vendorDomainProperty } from './vendor-domain';

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
    requestOptions(
      headerOption('the vendor and how many companies use it'),
      ifNotFoundOption,
      maxCreditsOption,
    ),
  ]),
  execute: perItem({
    plan: (parameters) => {
      const header = headerOf(parameters);
      return {
        vendorDomain: domainOf(parameters.get('vendorDomain'), 'Vendor Domain', 'keep'),
        include: parameters.words(parameters.get('include'), 'Include', LIST_SECTIONS),
        wanted: wantedFor(header, parameters),
        header,
        ifNotFound: ifNotFoundOf(parameters),
      };
    },
    ask: async ({ vendorDomain, header, ifNotFound, ...request }, { client, options }) =>
      await orNotFound(ifNotFound, { domain: vendorDomain }, async () =>
        listingOutput(await companiesOfVendor(client, vendorDomain, request, options), header),
      ),
  }),
};
