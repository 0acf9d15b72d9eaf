import type { IDataObject } from 'n8n-workflow';

import { partnershipBetween } from '../../src/api/partnerships';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { perItem } from '../../src/n8n/per-item/per-item';
import {
  ifNotFoundOption,
  maxCreditsOption,
  requestOptions,
  subdomainsOption,
} from '../shared/options';
import { askedPair, pairOf, pairProperties } from './pair';

/** `GET /v1/partnerships/{identifier_a}/{identifier_b}` */
export const getPartnership: Operation = {
  option: {
    name: 'Get Partnership',
    value: 'getPartnership',
    description:
      'Get what is known of the partnership between two companies, with its sources. Costs 1 credit for each of the two at most.',
    action: 'Get the partnership of two companies',
  },
  properties: onlyFor('getPartnership', [
    ...pairProperties,
    requestOptions(ifNotFoundOption, maxCreditsOption, subdomainsOption),
  ]),
  execute: perItem({
    plan: (parameters) => ({ ...pairOf(parameters), ifNotFound: ifNotFoundOf(parameters) }),
    ask: async ({ ifNotFound, ...pair }, { run }) =>
      await orNotFound(ifNotFound, askedPair(pair), async () => {
        const { identifierA, identifierB } = pair;
        const partnership = await partnershipBetween(run, identifierA, identifierB);
        return [{ json: partnership as IDataObject }];
      }),
  }),
};
