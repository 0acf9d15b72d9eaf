import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { choiceOption, readOptions, runOptionsShape, switchOption } from '../run-options';

/** With one of these alone beside an error, n8n would take a good row for a failed one. */
const RESERVED_FIELDS = ['error', 'message', 'details'];

/**
 * Options of operations that read each row's domain and keep the row's own fields.
 *
 * @param resultField where results go unless the user says otherwise.
 */
export function rowOptionsShape(resultField: string) {
  return {
    output: choiceOption('Output', ['merge', 'result'], 'merge'),
    resultField: z
      .string('Result Field must be text')
      .trim()
      .min(1, 'Result Field is empty')
      .refine((name) => !RESERVED_FIELDS.includes(name), {
        message: `n8n keeps ${RESERVED_FIELDS.join(', ')} for error items`,
      })
      .default(resultField),
    subdomains: choiceOption('Subdomains', ['strip', 'keep'], 'strip'),
    rejectFreeMail: switchOption('Ignore Free Mail Hosts'),
  };
}

const bulkOptions = z.object({
  ...runOptionsShape,
  ...rowOptionsShape('enrichment'),
  spendRemainingCredits: switchOption('Spend Remaining Credits'),
});

/** The options of Bulk Enrich's operations, defaults filled in. They hold for the whole run. */
export type BulkOptions = z.infer<typeof bulkOptions>;

/** How rows come out. */
export type RowOutput = Pick<BulkOptions, 'output' | 'resultField'>;

/** @throws {NodeOperationError} that names the option which is wrong. */
export function readBulkOptions(context: IExecuteFunctions): BulkOptions {
  return readOptions(context, bulkOptions);
}
