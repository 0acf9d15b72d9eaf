import { z } from 'zod/v4';
import { PARTNERSHIP_TYPES } from '../data/partnerships';
import { LIMITS } from '../limits';
import { firmographics } from './companies';
import { companyReference, count, paged, timestamp } from './common';
import { partner } from './enrichment';

const type = z.enum(PARTNERSHIP_TYPES);

const countedCompany = companyReference.extend({ partnership_count: count });

export const partnerList = paged(partner.extend({ partnership_type: type })).extend({
  company: countedCompany,
  type_counts: z.strictObject({ technology: count, channel: count, generic: count }),
});

export const reverseList = paged(
  companyReference.extend({
    first_seen_at: timestamp,
    last_seen_at: timestamp,
    observation_count: z.int().min(1),
    firmographics: firmographics.optional(),
  }),
).extend({
  partner: z.strictObject({ name: z.string(), domain: z.string(), total_companies: count }),
});

export const partnershipDetail = z.strictObject({
  company_a: companyReference,
  company_b: companyReference,
  partnership_type: type,
  first_observed_at: timestamp,
  shared_partner_count: count,
  attributions: z
    .array(z.strictObject({ source: z.string(), source_label: z.string(), observed_at: timestamp }))
    .max(LIMITS.attributions),
});

export const sharedPartnerList = paged(countedCompany).extend({
  company_a: companyReference,
  company_b: companyReference,
});

const nodes = z
  .array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      primary_domain: z.string(),
      partnership_count: count,
      is_root: z.boolean(),
      slug: z.string().optional(),
    }),
  )
  .max(LIMITS.graphNodes);

const edges = z.array(z.strictObject({ source: z.int(), target: z.int() }));

export const companyGraph = z.strictObject({ root_company: z.int(), nodes, edges });

export const pairGraph = z.strictObject({
  root_companies: z.tuple([z.int(), z.int()]),
  nodes,
  edges,
});
