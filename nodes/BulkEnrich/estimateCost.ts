import { BULK_COMPANIES_PATH } from '../../src/api/companies';
import { ENRICH_PARTNERSHIPS_PATH } from '../../src/api/enrichment';
import { estimateRows } from '../../src/n8n/rows/estimate';
import { wholeRun } from '../../src/n8n/operation';
import { choice, shownFor } from '../../src/n8n/parameters/declare';
import { domainProperty } from '../shared/company';
import { include } from './include';
import { enrichOptions } from './options';

const estimateFor = choice({
  displayName: 'Estimate For',
  name: 'estimateFor',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Enrich Companies', value: 'companies' },
    { name: 'Enrich Partnerships', value: 'partnerships' },
  ],
  default: 'companies',
  description: 'The operation that is to follow, with the same items and options',
});

/** What the other operations would cost, without asking. */
export const estimateCost = wholeRun({
  option: {
    name: 'Estimate Cost',
    value: 'estimateCost',
    description:
      'Estimate what a run would cost in companies, requests, time and credits. Free; sends no request.',
    action: 'Estimate enrichment cost',
  },
  ofItems: [domainProperty],
  parameters: {
    estimateFor,
    include: shownFor({ estimateFor: ['companies'] }, { ...include, read: () => undefined }),
    options: enrichOptions({}),
  },
  execute: async (context, { estimateFor: estimated, options }) =>
    await estimateRows(
      context,
      options,
      estimated === 'companies'
        ? { endpoint: BULK_COMPANIES_PATH, sections: include }
        : { endpoint: ENRICH_PARTNERSHIPS_PATH },
    ),
});
