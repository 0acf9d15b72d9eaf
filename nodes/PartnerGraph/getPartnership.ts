import { partnershipBetween } from '../../src/api/partnerships';
import { perItem } from '../../src/n8n/per-item/per-item';
import { ifNotFound, maxCredits, requestOptions, subdomains } from '../shared/options';
import { askedPair, pair } from '../shared/pair';

/** `GET /v1/partnerships/{identifier_a}/{identifier_b}` */
export const getPartnership = perItem({
  option: {
    name: 'Get Partnership',
    value: 'getPartnership',
    description:
      'Get what is known of a partnership, with sources. Costs 1 credit per company at most.',
    action: 'Get partnership',
  },
  parameters: { ...pair, options: requestOptions({ ifNotFound, maxCredits, subdomains }) },
  asked: askedPair,
  ask: async ({ identifier_a, identifier_b }, { run }) =>
    await partnershipBetween(run, identifier_a, identifier_b),
});
