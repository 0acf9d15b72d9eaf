import { techKeyOf } from '../../src/api/inputs';
import { companiesOfTechnology } from '../../src/api/technologies';
import { withSuggestions } from '../../src/api/suggestions';
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
import { techKeyProperty } from './tech-key';

/** `GET /v1/technologies/{tech_key}/companies` */
export const getByTechnology: Operation = {
  option: {
    name: 'Get by Technology',
    value: 'getByTechnology',
    description:
      'List companies that use a technology. Costs 1 credit per company returned, unless it was read in the last 30 days.',
    action: 'Get users of a technology',
  },
  properties: onlyFor('getByTechnology', [
    techKeyProperty,
    ...pagingProperties,
    includeFirmographics,
    requestOptions(
      headerOption('the technology and how many companies use it'),
      ifNotFoundOption,
      maxCreditsOption,
    ),
  ]),
  execute: perItem({
    plan: (parameters) => {
      const header = headerOf(parameters);
      return {
        techKey: techKeyOf(parameters.get('techKey')),
        include: parameters.words(parameters.get('include'), 'Include', LIST_SECTIONS),
        wanted: wantedFor(header, parameters),
        header,
        ifNotFound: ifNotFoundOf(parameters),
      };
    },
    ask: async ({ techKey, header, ifNotFound, ...request }, { client, options }) =>
      await orNotFound(ifNotFound, { tech_key: techKey }, async () => {
        const listing = await withSuggestions(client, techKey, options, async () =>
          companiesOfTechnology(client, techKey, request, options),
        );
        return listingOutput(listing, header);
      }),
  }),
};
