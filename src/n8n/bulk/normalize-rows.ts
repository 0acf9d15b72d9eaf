import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outputFor } from '../agents';
import { readDomainRows, resultsOf, type RowOptions } from './domain-rows';
import { rowItems, type RowResult } from './items';
import { warnOfNoDomain } from './summary';

/**
 * Shows what Bulk Enrich would ask for, without a request: each row's domain, or why it has none,
 * and which earlier row it repeats.
 */
export function normalizeRows(
  context: IExecuteFunctions,
  given: RowOptions,
): INodeExecutionData[][] {
  const options = outputFor(context, given);
  const firstRows = new Map<string, number>();
  const rows = readDomainRows(context, options, (domain, itemIndex) => {
    const first = firstRows.get(domain);
    if (first === undefined) firstRows.set(domain, itemIndex);
    return first ?? null;
  });
  const results = resultsOf(rows, ({ found, more: duplicate_of }): RowResult => {
    const { domain, host, freeMail: free_mail } = found;
    return { kind: 'result', result: { domain, status: 'valid', host, free_mail, duplicate_of } };
  });
  context.addExecutionHints(...warnOfNoDomain(rows));
  return [rowItems(context, results, options)];
}
