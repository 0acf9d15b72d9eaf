import type * as Zod from 'zod/v4';

import { createInvalidResponseError } from '../client/errors';
import type { Row } from '../values/json';
import { shortenMessage } from '../values/text';

function createGraphSchema() {
  const { z } = require('zod/v4') as typeof Zod;
  /** A number (API spec: Graph), or a text if the service sends text. */
  const nodeId = z
    .union([z.number(), z.string().min(1)])
    // Converted, so that an edge finds its node even if only one of the two ids is text.
    .transform((id) => (Number.isSafeInteger(Number(id)) ? Number(id) : id));
  return z.looseObject({
    root_company: nodeId.optional().catch(undefined),
    root_companies: z.array(nodeId).optional().catch(undefined),
    nodes: z.array(
      z.looseObject({
        id: nodeId,
        name: z.string().catch(''),
        primary_domain: z.string().catch(''),
        partnership_count: z.coerce.number().catch(0),
        is_root: z.boolean().catch(false),
      }),
    ),
    edges: z
      .array(z.looseObject({ source: nodeId, target: nodeId }))
      .nullish()
      .transform((edges) => edges ?? []),
  });
}

/** The fields needed to draw it (API spec: Graph). */
export type PartnerNetwork = Zod.infer<ReturnType<typeof createGraphSchema>>;

/** @throws {InvalidResponseError} if nodes or edges lack the fields needed to draw them. */
export function readNetwork(row: Row): PartnerNetwork {
  const parsed = createGraphSchema().safeParse(row);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw createInvalidResponseError(
    `The response is not a graph: ${shortenMessage(describeProblem(issue?.path ?? []))}`,
    'Check the Base URL in the credential. If it is right, the service has changed its responses.',
  );
}

/** Nodes need an `id`, edges `source` and `target` (API spec: Graph). */
function describeProblem([list, index, field]: readonly PropertyKey[]): string {
  const name = String(list);
  if (index === undefined) {
    return name === 'nodes' || name === 'edges'
      ? `${name} should be a list`
      : `${name} should name nodes by their ids`;
  }
  const entry = `${name}: entry ${String(Number(index) + 1)}`;
  return field === undefined ? `${entry} is not usable` : `${entry} has no id "${String(field)}"`;
}
