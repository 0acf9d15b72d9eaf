import { withSuggestions } from '../../src/api/suggestions';
import { companiesOfTechnology, companiesOfVendor } from '../../src/api/technologies';
import { choice, shownFor, type Parameter } from '../../src/n8n/parameters/declare';
import { perItem } from '../../src/n8n/per-item/per-item';
import { rowUnder } from '../../src/run/answers/rows';
import { listingOf } from '../../src/run/listing/pages';
import { ifNotFound, maxCredits, requestOptions, vendorSubdomains } from '../shared/options';
import { techKey } from './tech-key';
import { vendorDomain } from './vendor-domain';

const ONE_ROW = { wanted: 1 };

const countBy = choice({
  displayName: 'Count By',
  name: 'countBy',
  type: 'options',
  options: [
    { name: 'Technology', value: 'technology' },
    { name: 'Vendor', value: 'vendor' },
  ],
  default: 'technology',
  description: 'Whose users to count',
});

/** Whose users to count: a technology's or a vendor's. */
const counted: Parameter<{ technology: string } | { vendor: string }> = {
  properties: [
    ...countBy.properties,
    ...shownFor({ countBy: ['technology'] }, techKey).properties,
    ...shownFor({ countBy: ['vendor'] }, vendorDomain).properties,
  ],
  read: (place) =>
    countBy.read(place) === 'technology'
      ? { technology: techKey.read(place) }
      : { vendor: vendorDomain.read(place) },
};

/** `total_companies` of a technology or a vendor, read from a list of one row. */
export const count = perItem({
  option: {
    name: 'Count Users',
    value: 'count',
    description:
      "Count the companies that use a technology, or any of a vendor's. Costs 1 credit at most.",
    action: 'Count users of a technology or vendor (1 credit)',
  },
  parameters: {
    counted,
    options: requestOptions({ ifNotFound, maxCredits, subdomains: vendorSubdomains }),
  },
  asked: ({ counted: of }) =>
    'technology' in of ? { tech_key: of.technology } : { domain: of.vendor },
  ask: async ({ counted: of }, { run }) => {
    if ('vendor' in of) {
      const { context } = await listingOf(companiesOfVendor(run, of.vendor, {}, ONE_ROW));
      return rowUnder(context, 'vendor');
    }
    const { context } = await withSuggestions(run, of.technology, async () =>
      listingOf(companiesOfTechnology(run, of.technology, {}, ONE_ROW)),
    );
    return rowUnder(context, 'technology');
  },
});
