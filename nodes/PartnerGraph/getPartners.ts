import { identifierOf } from '../../src/api/inputs';
import { partnersOf } from '../../src/api/partnerships';
import { headerOf, listingOutput, wantedFor } from '../../src/n8n/per-item/listing-output';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { queryTextOf, subdomainsOf } from '../../src/n8n/per-item/parameters';
import { perItem } from '../../src/n8n/per-item/per-item';
import { identifierProperty, PARTNERSHIP_TYPES, partnershipTypes } from '../shared/company';
import {
  headerOption,
  ifNotFoundOption,
  maxCreditsOption,
  requestOptions,
  subdomainsOption,
} from '../shared/options';
import { pagingProperties } from '../shared/paging';
import { sortProperty, sortWords } from '../shared/sort';

const SORT_FIELDS = [
  { name: 'First Observed', value: 'first_observed_at' },
  { name: 'Last Observed', value: 'last_observed_at' },
  { name: 'Number of Observations', value: 'observation_count' },
];
const DEFAULT_SORT = '-last_observed_at';

/** `GET /v1/companies/{identifier}/partnerships` */
export const getPartners: Operation = {
  option: {
    name: 'Get Partners',
    value: 'getPartners',
    description:
      'List the partners of a company. Costs 1 credit per partner returned, unless it was read in the last 30 days.',
    action: 'Get partners of a company',
  },
  properties: onlyFor('getPartners', [
    identifierProperty(),
    ...pagingProperties,
    {
      displayName: 'Partner Name Contains',
      name: 'q',
      type: 'string',
      default: '',
      description: 'Only partners with this text in their name; empty for all',
    },
    partnershipTypes,
    sortProperty(SORT_FIELDS, DEFAULT_SORT),
    requestOptions(
      headerOption('the company and its number of partners of each type'),
      ifNotFoundOption,
      maxCreditsOption,
      subdomainsOption,
    ),
  ]),
  execute: perItem({
    plan: (parameters) => {
      const header = headerOf(parameters);
      return {
        identifier: identifierOf(parameters.get('identifier'), 'Company', subdomainsOf(parameters)),
        filters: {
          q: queryTextOf(parameters.get('q'), 'Partner Name Contains'),
          partnership_types: parameters.words(
            parameters.get('partnershipTypes'),
            'Partnership Types',
            PARTNERSHIP_TYPES,
          ),
          sort: parameters.choice(
            parameters.get('sort'),
            'Sort',
            sortWords(SORT_FIELDS),
            DEFAULT_SORT,
          ),
        },
        wanted: wantedFor(header, parameters),
        header,
        ifNotFound: ifNotFoundOf(parameters),
      };
    },
    ask: async ({ identifier, filters, wanted, header, ifNotFound }, { run }) =>
      await orNotFound(ifNotFound, { identifier }, async () =>
        listingOutput(await partnersOf(run, identifier, filters, wanted), header),
      ),
  }),
};
