import type { IDataObject } from 'n8n-workflow';

import { domainOf, techKeyOf } from '../../src/api/inputs';
import { listingOf } from '../../src/run/listing/pages';
import { rowUnder } from '../../src/run/answers/rows';
import { withSuggestions } from '../../src/api/suggestions';
import { companiesOfTechnology, companiesOfVendor } from '../../src/api/technologies';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { perItem } from '../../src/n8n/per-item/per-item';
import { ifNotFoundOption, maxCreditsOption, requestOptions } from '../shared/options';
import { techKeyProperty } from './tech-key';
import { vendorDomainProperty } from './vendor-domain';

const ONE_ROW = { include: undefined, wanted: 1 };

/** `total_companies` of a technology or a vendor, read from a list of one row. */
export const count: Operation = {
  option: {
    name: 'Count',
    value: 'count',
    description:
      'Count the companies that use a technology or any technology of a vendor. Costs 1 credit at most.',
    action: 'Count users of a technology or vendor',
  },
  properties: onlyFor('count', [
    {
      displayName: 'Count By',
      name: 'countBy',
      type: 'options',
      options: [
        { name: 'Technology', value: 'technology' },
        { name: 'Vendor', value: 'vendor' },
      ],
      default: 'technology',
      description: 'Whose users to count',
    },
    { ...techKeyProperty, displayOptions: { show: { countBy: ['technology'] } } },
    { ...vendorDomainProperty, displayOptions: { show: { countBy: ['vendor'] } } },
    requestOptions(ifNotFoundOption, maxCreditsOption),
  ]),
  execute: perItem({
    plan: (parameters) => {
      const ifNotFound = ifNotFoundOf(parameters);
      const countBy = parameters.choice(
        parameters.get('countBy'),
        'Count By',
        ['technology', 'vendor'],
        'technology',
      );
      return countBy === 'technology'
        ? { countBy, ifNotFound, of: techKeyOf(parameters.get('techKey')) }
        : {
            countBy,
            ifNotFound,
            of: domainOf(parameters.get('vendorDomain'), 'Vendor Domain', 'keep'),
          };
    },
    ask: async ({ countBy, ifNotFound, of }, { run }) =>
      countBy === 'technology'
        ? await orNotFound(ifNotFound, { tech_key: of }, async () => {
            const { context } = await withSuggestions(run, of, async () =>
              listingOf(companiesOfTechnology(run, of, ONE_ROW)),
            );
            return [{ json: rowUnder(context, 'technology') as IDataObject }];
          })
        : await orNotFound(ifNotFound, { domain: of }, async () => {
            const { context } = await listingOf(companiesOfVendor(run, of, ONE_ROW));
            return [{ json: rowUnder(context, 'vendor') as IDataObject }];
          }),
  }),
};
