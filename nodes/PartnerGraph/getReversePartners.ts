import { domainOf } from '../../src/api/inputs';
import { companiesOfPartner } from '../../src/api/partnerships';
import { headerOf, listingOutput, wantedFor } from '../../src/n8n/per-item/listing-output';
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
    requestOptions(
      headerOption('the partner and how many companies name it'),
      ifNotFoundOption,
      maxCreditsOption,
      subdomainsOption,
    ),
  ]),
  execute: perItem({
    plan: (parameters) => {
      const header = headerOf(parameters);
      return {
        partnerDomain: domainOf(
          parameters.get('partnerDomain'),
          'Partner Domain',
          subdomainsOf(parameters),
        ),
        include: parameters.words(parameters.get('include'), 'Include', LIST_SECTIONS),
        wanted: wantedFor(header, parameters),
        header,
        ifNotFound: ifNotFoundOf(parameters),
      };
    },
    ask: async ({ partnerDomain, include, wanted, header, ifNotFound }, { client, options }) =>
      await orNotFound(ifNotFound, { partner_domain: partnerDomain }, async () =>
        listingOutput(
          await companiesOfPartner(client, partnerDomain, include, wanted, options),
          header,
        ),
      ),
  }),
};
