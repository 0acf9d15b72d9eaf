import { LIMITS } from '../../src/input/limits';
import { sharedPartners } from '../../src/api/partnerships';
import { countOutput, listingOutput, rangeFor } from '../../src/n8n/per-item/listing-output';
import { perItem } from '../../src/n8n/per-item/per-item';
import { header, ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';
import { billedPaging, countOnly, offset } from '../shared/paging';
import { askedPair, pair } from '../shared/pair';

/** `GET /v1/partnerships/{identifier_a}/{identifier_b}/shared-partners` */
export const getSharedPartners = perItem({
  option: {
    name: 'Get Shared Partners',
    value: 'getSharedPartners',
    description:
      'List partners that two companies share. Costs 1 credit per partner, once in 30 days.',
    action: 'Get shared partners',
  },
  parameters: {
    ...pair,
    wanted: billedPaging,
    countOnly,
    options: requestOptions({
      header: header('the two companies'),
      ifNotFound,
      maxCredits,
      offset,
      subdomains,
    }),
  },
  asked: askedPair,
  ask: async ({ identifier_a, identifier_b, wanted, countOnly: counts, options }, { run }) => {
    const rows = rangeFor(wanted, options, counts);
    const listing = await sharedPartners(run, identifier_a, identifier_b, rows);
    if (counts) return countOutput(listing, { identifier_a, identifier_b }, LIMITS.pageSize);
    return listingOutput(listing, options.header);
  },
});
