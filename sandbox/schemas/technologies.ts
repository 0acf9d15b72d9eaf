import { z } from 'zod/v4';
import { firmographics } from './companies';
import { count, pagination, timestamp } from './common';

export const technologyRow = z.strictObject({
  tech_key: z.string(),
  display_name: z.string(),
  vendor_name: z.string(),
});

export const technologySearch = z.strictObject({
  technologies: z.array(technologyRow),
  pagination,
});

const userRow = {
  slug: z.string().nullable(),
  name: z.string(),
  primary_domain: z.string(),
  detection_count: z.int().min(1),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  firmographics: firmographics.optional(),
};

export const technologyUsers = z.strictObject({
  technology: z.strictObject({
    tech_key: z.string(),
    display_name: z.string(),
    vendor_name: z.string(),
    total_companies: count,
  }),
  data: z.array(z.strictObject(userRow)),
  pagination,
});

export const vendorUsers = z.strictObject({
  vendor: z.strictObject({
    vendor_slug: z.string(),
    vendor_name: z.string(),
    domain: z.string(),
    total_companies: count,
  }),
  data: z.array(
    z.strictObject({
      ...userRow,
      technologies_used: z
        .array(z.strictObject({ tech_key: z.string(), display_name: z.string() }))
        .min(1),
      additional_signals: z
        .array(z.strictObject({ signal: z.string(), observed_at: timestamp }))
        .optional(),
    }),
  ),
  pagination,
});
