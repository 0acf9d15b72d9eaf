import { outputFor } from '../../src/n8n/agents';
import { wholeRun } from '../../src/n8n/operation';
import { readDomainRows } from '../../src/n8n/rows/domain-rows';
import { warnOfNoDomain } from '../../src/n8n/rows/hints';
import { itemsOf, outcomesOf, succeeded } from '../../src/n8n/rows/rows';
import { domainProperty } from '../shared/company';
import { options as optionsOf } from '../shared/options';
import { rowOptions, WHOLE_RUN } from '../shared/rows';

/** What the other operations would ask for, without asking: each row's domain, or why it has none. */
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
  execute: (context, { options }) => {
    const firstRows = new Map<string, number>();
    const rows = readDomainRows(context, options, ({ domain, host, freeMail }, itemIndex) => {
      const duplicate_of = firstRows.get(domain) ?? null;
      if (duplicate_of === null) firstRows.set(domain, itemIndex);
      return succeeded({ domain, status: 'valid', host, free_mail: freeMail, duplicate_of });
    });
    context.addExecutionHints(...warnOfNoDomain(rows.counts, rows.invalid));
    return [itemsOf(context, outcomesOf(rows), outputFor(context, options))];
  },
});
