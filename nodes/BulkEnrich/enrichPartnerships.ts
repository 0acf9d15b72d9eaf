import {
  creditsOfEnrichment,
  ENRICH_PARTNERSHIPS_PATH,
  enrichPartnerships as ask,
} from '../../src/api/enrichment';
import { enrichRows } from '../../src/n8n/rows/enrich';
import { shapeOf } from '../../src/n8n/result-shape';
import { wholeRun } from '../../src/n8n/operation';
import { domainProperty } from '../shared/company';
import { simplify } from '../shared/output';
import { enrichOptions } from './options';

/** `POST /v1/enrich/partnerships` for any number of rows. */
export const enrichPartnerships = wholeRun({
  option: {
    name: 'Enrich Partnerships',
    value: 'enrichPartnerships',
    description:
      'Add the partners of each company. Costs 1 credit per tracked company, once in 30 days.',
    action: 'Enrich partnerships',
  },
  ofItems: [domainProperty],
  parameters: { simplify, options: enrichOptions({}) },
  execute: async (context, { simplify: isFlat, options }) =>
    await enrichRows(context, options, {
      shapeFor: () => shapeOf({ simplify: isFlat }),
      endpoint: ENRICH_PARTNERSHIPS_PATH,
      ask,
      creditsOf: creditsOfEnrichment,
    }),
});
