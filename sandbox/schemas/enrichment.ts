import { z } from 'zod/v4';
import { count, timestamp } from './common';

/** Fields that a partner has in every list of partners. */
export const partner = z.strictObject({
  partner_name: z.string(),
  partner_domain: z.string(),
  partner_slug: z.string().nullable(),
  first_observed_at: timestamp,
  last_observed_at: timestamp,
  observation_count: z.int().min(1),
});

export const enrichmentPartnership = partner.extend({
  category: z.null(),
  description: z.null(),
});

export const enrichmentResult = z.strictObject({
  domain: z.string(),
  status: z.enum(['found', 'no_partnerships', 'not_tracked']),
  company_name: z.string().nullable(),
  company_id: z.int().nullable(),
  slug: z.string().nullable(),
  partnerships: z.array(enrichmentPartnership),
  partnership_count: count,
});

export const enrichmentResponse = z.strictObject({
  results: z.array(enrichmentResult),
  total_domains_requested: count,
  domains_found: count,
  domains_with_partnerships: count,
});
