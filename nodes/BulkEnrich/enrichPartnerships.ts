import type { IExecuteFunctions } from 'n8n-workflow';

import {
  creditsOfEnrichment,
  ENRICH_PARTNERSHIPS_PATH,
  enrichPartnerships as ask,
} from '../../src/api/enrichment';
import { enrichRows } from '../../src/n8n/bulk/enrich-rows';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { domainProperty } from '../shared/domain';
import { enrichOptions } from './options';

/** `POST /v1/enrich/partnerships` for any number of rows. */
export const enrichPartnerships: Operation = {
  option: {
    name: 'Enrich Partnerships',
    value: 'enrichPartnerships',
    description:
      'Add the partners of each company. Costs 1 credit per tracked company; companies read in the last 30 days are free.',
    action: 'Enrich partnerships',
  },
  properties: onlyFor('enrichPartnerships', [domainProperty, enrichOptions]),
  execute: async (context: IExecuteFunctions) =>
    await enrichRows(context, {
      endpoint: ENRICH_PARTNERSHIPS_PATH,
      ask,
      creditsOf: creditsOfEnrichment,
    }),
};
