import { LIMITS } from '../../src/input/limits';
import { partnersOf } from '../../src/api/partnerships';
import { countOutput, listingOutput, rangeFor } from '../../src/n8n/per-item/listing-output';
import { perItem } from '../../src/n8n/per-item/per-item';
import { company, partnershipTypes } from '../shared/company';
import { contains } from '../shared/name-contains';
import { header, ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';
import { billedPaging, countOnly, offset } from '../shared/paging';
import { sort } from '../shared/sort';

const SORT_FIELDS = [
  { name: 'First Observed', value: 'first_observed_at' },
  { name: 'Last Observed', value: 'last_observed_at' },
  { name: 'Number of Observations', value: 'observation_count' },
];

/** `GET /v1/companies/{identifier}/partnerships` */
export const getPartners = perItem({
  option: {
    name: 'Get Partners',
    value: 'getPartners',
    description: 'List the partners of a company. Costs 1 credit per partner, once in 30 days.',
    action: 'Get partners',
  },
  parameters: {
    identifier: company(),
    wanted: billedPaging,
    countOnly,
    q: contains('q', 'partners'),
    partnership_types: partnershipTypes,
    sort: sort(SORT_FIELDS, '-last_observed_at'),
    options: requestOptions({
      header: header('the company and its number of partners of each type'),
      ifNotFound,
      maxCredits,
      offset,
      subdomains,
    }),
  },
  asked: ({ identifier }) => ({ identifier }),
  ask: async ({ identifier, wanted, countOnly: counts, options, ...filters }, { run }) => {
    const rows = rangeFor(wanted, options, counts);
    const listing = await partnersOf(run, identifier, filters, rows);
    if (counts) return countOutput(listing, { identifier }, LIMITS.pageSize);
    return listingOutput(listing, options.header);
  },
});
