import type * as Zod from 'zod/v4';

import { invalidResponse } from '../client/errors';
import { path } from '../client/call';
import { lazily } from '../lazily';
import { rowWith, type Row } from '../run/answers/rows';
import type { Run } from '../run/run';
import { shortened } from '../input/quote';

const graph = lazily(() => {
  const { z } = require('zod/v4') as typeof Zod;
  /** A number (interface: Graph), or a text where a service has it so. */
  const nodeId = z
    .union([z.number(), z.string().min(1)])
    // So that an edge finds its node where only one of the two is text.
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
});

const GRAPH_FIELDS = ['nodes', 'edges', 'root_company', 'root_companies'];

/** A partner network, read as far as drawing it needs (interface: Graph). */
export type PartnerNetwork = Zod.infer<ReturnType<typeof graph>>;

/** What a graph costs (interface: Credits): by the nodes that are asked for, and that came. */
export interface GraphPrice {
  readonly atMost: (max_nodes: number) => number;
  readonly of: (nodes: number) => number;
}

/** The queried company is free. */
export const companyGraphPrice: GraphPrice = {
  atMost: (max_nodes) => max_nodes - 1,
  of: (nodes) => Math.max(0, nodes - 1),
};

/** The two companies are in it in any case. */
export const pairGraphPrice: GraphPrice = {
  atMost: (max_nodes) => Math.max(2, max_nodes),
  of: (nodes) => nodes,
};

/**
 * `GET /v1/companies/{identifier}/partnerships/graph`. 1 credit per node, the queried company free.
 *
 * @param query `depth` 1 for direct partners, 2 for their partners too; at most 100 nodes.
 * @throws {NotFoundError} `company_not_found`.
 */
export async function companyGraph(
  run: Run,
  identifier: string,
  query: { readonly depth: number; readonly max_nodes: number },
): Promise<Row> {
  const where = path`/v1/companies/${identifier}/partnerships/graph`;
  return await graphOf(run, where, query, companyGraphPrice);
}

/**
 * `GET /v1/partnerships/{identifier_a}/{identifier_b}/graph`: shared partners first. 1 credit per
 * node, at most 100.
 *
 * @throws {NotFoundError} `company_not_found`.
 */
export async function pairGraph(
  run: Run,
  identifierA: string,
  identifierB: string,
  query: { readonly max_nodes: number },
): Promise<Row> {
  const where = path`/v1/partnerships/${identifierA}/${identifierB}/graph`;
  return await graphOf(run, where, query, pairGraphPrice);
}

async function graphOf(
  run: Run,
  where: string,
  query: { readonly max_nodes: number },
  price: GraphPrice,
): Promise<Row> {
  return await run.row({
    path: where,
    query,
    read: (json) => rowWith(json, GRAPH_FIELDS),
    credits: price.atMost(query.max_nodes),
    creditsOf: ({ nodes }) => price.of(Array.isArray(nodes) ? nodes.length : 0),
  });
}

/**
 * Reads an answer as a network.
 *
 * @throws {InvalidResponseError} when nodes or edges are not what they must be to be drawn.
 */
export function networkOf(row: Row): PartnerNetwork {
  const parsed = graph().safeParse(row);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidResponse(
    `The answer is not a graph: ${shortened(whatIsWrong(issue?.path ?? []))}`,
    'If the Base URL in the credential is right, the service has changed its answers.',
  );
}

/** Nodes need an `id`, edges `source` and `target` (interface: Graph). */
function whatIsWrong([list, index, field]: readonly PropertyKey[]): string {
  const name = String(list);
  if (index === undefined) {
    return name === 'nodes' || name === 'edges'
      ? `${name} should be a list`
      : `${name} should name nodes by their ids`;
  }
  const entry = `${name}: entry ${String(Number(index) + 1)}`;
  return field === undefined ? `${entry} is not usable` : `${entry} has no id "${String(field)}"`;
}
