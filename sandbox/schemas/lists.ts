import { z } from 'zod/v4';
import { TIERS } from '../lists/materialize';
import { definitionSchema, savedDefinitionSchema } from '../lists/tree';
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
      type: z.enum(['text', 'choice', 'number', 'reference', 'boolean']),
      operators: z.array(z.string()).min(1),
      values: z.array(z.string()).optional(),
    }),
  ),
});

/** Accepts rows in each envelope of the choice `rowsEnvelope`. */
function enveloped<T extends z.ZodType>(name: string, row: T) {
  const rows = z.array(row);
  return z.union([
    rows,
    z.looseObject({ [name]: rows }),
    z.looseObject({ data: rows }),
    z.strictObject({ result: z.looseObject({ [name]: rows }) }),
  ]);
}

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

export const listRows = enveloped('lists', listSummary);
export const permissionRows = enveloped('permissions', permission);

const name = z.string().trim().min(1).max(FIXED_CHOICES.listNameLength);
export const createBody = z.object({ name, definition: definitionSchema.optional() });
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

export const memberRows = enveloped(
  'members',
  z.strictObject({
    company_id: z.int(),
    slug: z.string().nullable(),
    name: z.string(),
    primary_domain: z.string(),
    tier: z.enum(TIERS),
    evidence: count,
    added_by: z.enum(['filter', 'hand']),
  }),
);

/** One domain or several. */
export const domainsBody = z.union([
  z.object({ domains }),
  z.object({ domain: z.string() }).transform(({ domain }) => ({ domains: [domain] })),
]);

export const domainsAdded = z.strictObject({
  added: z.array(z.string()),
  already_present: z.array(z.string()),
  not_tracked: z.array(z.string()),
  rejected: z.array(z.string()),
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

export const deletedBody = z.looseObject({ deleted: z.literal(true) });
