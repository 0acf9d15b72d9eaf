import { z } from 'zod/v4';
import { enrichmentPartnership } from './enrichment';
import { count, timestamp } from './common';

export const firmographics = z.strictObject({
  industry: z.string(),
  employee_range: z.string(),
  country: z.string(),
  founded_year: z.int(),
  tech_count: count,
  open_jobs_count: count,
  partnership_count: count,
});

export const companyTechnology = z.strictObject({
  tech_key: z.string(),
  display_name: z.string(),
  detection_count: count,
  first_seen: timestamp,
  last_seen: timestamp,
});

export const company = z.strictObject({
  name: z.string(),
  primary_domain: z.string(),
  slug: z.string().optional(),
  partnership_count: count,
  domains: z.array(z.string()).optional(),
  investors: z.array(z.strictObject({ name: z.string() })).optional(),
  firmographics: firmographics.optional(),
  technologies: z.array(companyTechnology).optional(),
});

export const bulkResult = z.strictObject({
  domain: z.string(),
  status: z.enum(['tracked', 'not_tracked']),
  company: z
    .strictObject({
      name: z.string(),
      primary_domain: z.string(),
      slug: z.string().nullable(),
      firmographics: firmographics.optional(),
    })
    .nullable(),
  technologies: z.array(
    z.strictObject({
      tech_key: z.string(),
      display_name: z.string(),
      vendor_name: z.string(),
      last_seen_at: timestamp,
      evidence_count: count,
    }),
  ),
  partnerships: z.array(enrichmentPartnership),
  technology_count: count,
  partnership_count: count,
});

export const bulkResponse = z.strictObject({
  data: z.array(bulkResult),
  total_domains_requested: count,
  domains_found: count,
  domains_not_found: z.array(z.string()),
  rejected: count,
  rejected_domains: z.array(z.string()),
});

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
