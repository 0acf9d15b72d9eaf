import { withSuggestions } from '../../src/api/suggestions';
import { companiesOfTechnology, companiesOfVendor } from '../../src/api/technologies';
import { perItem } from '../../src/n8n/per-item/per-item';
import { rowUnder } from '../../src/run/answers/rows';
import { listingOf } from '../../src/run/listing/pages';
import { ifNotFound, maxCredits, requestOptions, vendorSubdomains } from '../shared/options';
import { usedBy } from './used';

const ONE_ROW = { wanted: 1 };

/** `total_companies` of a technology or a vendor, read from a list of one row. */
export const count = perItem({
  option: {
    name: 'Count Users',
    value: 'count',
    description:
      "Count the companies that use a technology, or any of a vendor's. Costs 1 credit at most.",
    action: 'Count users by technology or vendor',
  },
  parameters: {
    used: usedBy({ displayName: 'Count By', name: 'countBy', description: 'Whose users to count' }),
    options: requestOptions({ ifNotFound, maxCredits, subdomains: vendorSubdomains }),
  },
  asked: ({ used }) =>
    used.by === 'technology' ? { tech_key: used.techKey } : { domain: used.vendorDomain },
  ask: async ({ used }, { run }) => {
    if (used.by === 'vendor') {
      const { context } = await listingOf(companiesOfVendor(run, used.vendorDomain, {}, ONE_ROW));
      return rowUnder(context, 'vendor');
    }
    const { context } = await withSuggestions(run, used.techKey, async () =>
      listingOf(companiesOfTechnology(run, used.techKey, {}, ONE_ROW)),
    );
    return rowUnder(context, 'technology');
  },
});
