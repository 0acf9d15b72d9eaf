import { z } from 'zod/v4';
import { count, timestamp } from './common';

export const refreshAccepted = z.strictObject({ job_id: z.string() });

export const refreshJob = z.strictObject({
  job_id: z.string(),
  status: z.string(),
  submitted_at: timestamp,
  completed_at: timestamp.nullable(),
  summary: z.strictObject({
    succeeded: count,
    failed: count,
    processing: count,
    total: count,
  }),
  domains: z.array(
    z.strictObject({ domain: z.string(), status: z.string(), error: z.string().nullable() }),
  ),
  data_freshness: z.string().optional(),
});
