import { sharedPartners } from '../../src/api/partnerships';
import { headerOf, listingOutput, wantedFor } from '../../src/n8n/per-item/listing-output';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { perItem } from '../../src/n8n/per-item/per-item';
import {
  headerOption,
  ifNotFoundOption,
  maxCreditsOption,
  requestOptions,
  subdomainsOption,
} from '../shared/options';
import { pagingProperties } from '../shared/paging';
import { askedPair, pairOf, pairProperties } from './pair';

/** `GET /v1/partnerships/{identifier_a}/{identifier_b}/shared-partners` */
export const getSharedPartners: Operation = {
  option: {
    name: 'Get Shared Partners',
    value: 'getSharedPartners',
    description:
      'List the partners that two partnered companies have in common. Costs 1 credit per partner returned, unless it was read in the last 30 days.',
    action: 'Get shared partners of two companies',
  },
  properties: onlyFor('getSharedPartners', [
    ...pairProperties,
    ...pagingProperties,
    requestOptions(
      headerOption('the two companies'),
      ifNotFoundOption,
      maxCreditsOption,
      subdomainsOption,
    ),
  ]),
  execute: perItem({
    plan: (parameters) => {
      const header = headerOf(parameters);
      return {
        ...pairOf(parameters),
        wanted: wantedFor(header, parameters),
        header,
        ifNotFound: ifNotFoundOf(parameters),
      };
    },
    ask: async ({ wanted, header, ifNotFound, ...pair }, { run }) =>
      await orNotFound(ifNotFound, askedPair(pair), async () => {
        const { identifierA, identifierB } = pair;
        const listing = await sharedPartners(run, identifierA, identifierB, wanted);
        return listingOutput(listing, header);
      }),
  }),
};
