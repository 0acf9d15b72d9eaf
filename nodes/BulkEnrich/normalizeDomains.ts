import { normalizeRows } from '../../src/n8n/bulk/normalize-rows';
import { wholeRun } from '../../src/n8n/operation';
import { domainProperty } from '../shared/company';
import { options as optionsOf } from '../shared/options';
import { rowOptions, WHOLE_RUN } from '../shared/rows';

/** What the other operations would ask for, without asking. */
export const normalizeDomains = wholeRun({
  option: {
    name: 'Normalize Domains',
    value: 'normalizeDomains',
    description:
      'Find the domain in each item; mark invalid rows and duplicates. Free; sends no request.',
    action: 'Normalize domains',
  },
  ofItems: [domainProperty],
  parameters: { options: optionsOf(rowOptions('enrichment', 'enriched_'), WHOLE_RUN) },
  execute: (context, { options }) => normalizeRows(context, options),
});
