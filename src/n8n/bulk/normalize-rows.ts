import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outputFor } from '../agents';
import type { RowOptions } from './options';
import { invalidResult, readDomainRows } from './domain-rows';
import { nodeError, onErrorOf } from '../failures';
import { failedItem, mergedItem } from './items';
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
  const items = context.getInputData();
  const onError = onErrorOf(context);
  const firstRows = new Map<string, number>();
  const rows = readDomainRows(context, items.length, options);
  const output = rows.map((row, itemIndex) => {
    const item = items[itemIndex];
    if (row.kind === 'failed') {
      if (onError === 'stop') throw nodeError(context.getNode(), row.failure, itemIndex);
      return failedItem(item, row.failure, itemIndex, options, onError);
    }
    if (row.kind === 'invalid') {
      const { reason, message } = row.found;
      return mergedItem(item, invalidResult(null, reason, message), itemIndex, options);
    }
    const { domain, host, freeMail } = row.found;
    const firstRow = firstRows.get(domain);
    if (firstRow === undefined) firstRows.set(domain, itemIndex);
    const result = {
      domain,
      status: 'valid',
      host,
      free_mail: freeMail,
      duplicate_of: firstRow ?? null,
    };
    return mergedItem(item, result, itemIndex, options);
  });
  context.addExecutionHints(...warnOfNoDomain(rows));
  return [output];
}
