import { z } from 'zod/v4';
import { TIERS } from '../lists/materialize';
import { savedDefinitionSchema } from '../lists/definition';
import { FIXED_CHOICES } from '../choices';
import { LIMITS } from '../limits';
import { count, domains, timestamp } from './common';

/**
 * Bodies and responses of the list endpoints. Most are choices, because the API spec shows only a
 * few.
 */

export const filterCatalogueSchema = z.strictObject({
  registry_version: z.string(),
  fields: z.array(
    z.strictObject({
      key: z.string(),
      label: z.string(),
      type: z.enum(['text', 'number', 'boolean']),
      operators: z.array(z.string()).min(1),
    }),
  ),
});

const accessLevel = z.enum(['viewer', 'editor', 'owner']);

export const listSummary = z.strictObject({
  list_id: z.string(),
  name: z.string(),
  access_level: accessLevel,
  owner_user_id: z.string(),
  definition_version: z.int().min(1),
  created_at: timestamp,
  updated_at: timestamp,
});

export const permission = z.strictObject({
  permission_id: z.int(),
  scope: z.enum(['user', 'org_wide']),
  user_id: z.string().nullable(),
  access_level: z.enum(['viewer', 'editor']),
  granted_at: timestamp,
});

export const listDetail = z.strictObject({
  ...listSummary.shape,
  definition: savedDefinitionSchema,
  permissions: z.array(permission),
});

export const listRows = z.strictObject({ lists: z.array(listSummary) });
export const permissionRows = z.strictObject({ permissions: z.array(permission) });

const name = z.string().trim().min(1).max(FIXED_CHOICES.listNameLength);
export const createBody = z.object({ name, definition: z.unknown() });
export const renameBody = z.object({ name });

export const previewResponse = z.strictObject({
  count: count.max(LIMITS.previewCount),
  capped: z.boolean(),
});

export const tierCountsSchema = z.strictObject({
  total_count: count,
  high_count: count,
  medium_count: count,
  exploratory_count: count,
});

export const memberRows = z.strictObject({
  members: z.array(
    z.strictObject({
      company_id: z.int(),
      slug: z.string().nullable(),
      name: z.string(),
      primary_domain: z.string(),
      tier: z.enum(TIERS),
      added_by: z.enum(['filter', 'hand']),
    }),
  ),
  limit: count,
  offset: count,
  total_count: count,
  materialized_at: timestamp,
});

export const domainsBody = z.object({ domains });

export const domainsAdded = z.strictObject({
  domains: z.array(
    z.strictObject({
      domain: z.string(),
      status: z.enum(['added', 'already_present', 'not_tracked', 'rejected']),
    }),
  ),
});

const level = z.enum(['viewer', 'editor']);
export const grantBody = z.union([
  z
    .object({ access_level: level, org_wide: z.literal(true) })
    .transform((body) => ({ level: body.access_level, userId: null })),
  z
    .object({ access_level: level, user_id: z.string().min(1) })
    .transform((body) => ({ level: body.access_level, userId: body.user_id })),
]);

export const ownerBody = z.object({ user_id: z.string().min(1) });
