import { z } from 'zod/v4';
import { firmographics } from './companies';
import { companyReference, count, paged, pagination, timestamp } from './common';

export const technologyRow = z.strictObject({
  tech_key: z.string(),
  display_name: z.string(),
  vendor_name: z.string(),
});

export const technologySearch = z.strictObject({
  technologies: z.array(technologyRow),
  pagination,
});

const userRow = companyReference.extend({
  detection_count: z.int().min(1),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  firmographics: firmographics.optional(),
});

export const technologyUsers = paged(userRow).extend({
  technology: technologyRow.extend({ total_companies: count }),
});

export const vendorUsers = paged(
  userRow.extend({
    technologies_used: z.array(technologyRow.pick({ tech_key: true, display_name: true })).min(1),
    additional_signals: z
      .array(z.strictObject({ signal: z.string(), observed_at: timestamp }))
      .optional(),
  }),
).extend({
  vendor: z.strictObject({
    vendor_slug: z.string(),
    vendor_name: z.string(),
    domain: z.string(),
    total_companies: count,
  }),
});
