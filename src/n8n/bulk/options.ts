import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { readOptions, runOptionsShape } from '../run-options';

/** With one of these alone beside an error, n8n would take a good row for a failed one. */
const RESERVED_FIELDS = ['error', 'message', 'details'];

/** How rows are read and come out again. */
const rowOptionsShape = (resultField: string) => ({
  output: z.enum(['merge', 'result']).default('merge'),
  resultField: z
    .string()
    .trim()
    .min(1, 'it is empty')
    .refine((name) => !RESERVED_FIELDS.includes(name), {
      message: `n8n keeps ${RESERVED_FIELDS.join(', ')} for error items`,
    })
    .default(resultField),
  subdomains: z.enum(['strip', 'keep']).default('strip'),
  rejectFreeMail: z.boolean().default(false),
});

const bulkOptions = z.object({
  ...runOptionsShape,
  ...rowOptionsShape('enrichment'),
  spendRemainingCredits: z.boolean().default(false),
});

const additionOptions = z.object({ ...runOptionsShape, ...rowOptionsShape('list') });

/** The options of Bulk Enrich's operations, defaults filled in. They hold for the whole run. */
export type BulkOptions = z.infer<typeof bulkOptions>;

/** @throws {NodeOperationError} that names the option which is wrong. */
export function readBulkOptions(context: IExecuteFunctions): BulkOptions {
  return readOptions(context, bulkOptions);
}

/**
 * The options of an operation that adds rows to a list.
 *
 * @throws {NodeOperationError} that names the option which is wrong.
 */
export function readAdditionOptions(context: IExecuteFunctions): z.infer<typeof additionOptions> {
  return readOptions(context, additionOptions);
}
