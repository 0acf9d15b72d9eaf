import { z } from 'zod/v4';

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
