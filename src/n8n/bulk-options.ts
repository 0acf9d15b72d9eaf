import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { REAL_TIME } from '../client/settings';

const RESERVED_FIELDS = ['error', 'message', 'details'];

const bulkOptions = z.object({
  output: z.enum(['merge', 'result']).default('merge'),
  resultField: z
    .string()
    .trim()
    .min(1, 'it is empty')
    .refine((name) => !RESERVED_FIELDS.includes(name), {
      message: `n8n keeps ${RESERVED_FIELDS.join(', ')} for error items`,
    })
    .default('enrichment'),
  subdomains: z.enum(['strip', 'keep']).default('strip'),
  rejectFreeMail: z.boolean().default(false),
  maxCredits: z.coerce.number().int().min(0).default(0),
  spendRemainingCredits: z.boolean().default(false),
  maxRateLimitWaitMinutes: z.coerce
    .number()
    .min(0)
    .default(REAL_TIME.maxRateLimitWaitMs / 60_000),
  requestTimeoutSeconds: z.coerce
    .number()
    .min(1)
    .default(REAL_TIME.requestTimeoutMs / 1000),
});

/** The options of Bulk Enrich's operations, defaults filled in. They hold for the whole run. */
export type BulkOptions = z.infer<typeof bulkOptions>;

/** @throws {NodeOperationError} that names the option which is wrong. */
export function readBulkOptions(context: IExecuteFunctions): BulkOptions {
  const parsed = bulkOptions.safeParse(context.getNodeParameter('options', 0, {}));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new NodeOperationError(
    context.getNode(),
    `The option "${String(issue?.path.join('.'))}" cannot be used: ${String(issue?.message)}`,
    { description: 'Correct it under Options of this node.' },
  );
}
