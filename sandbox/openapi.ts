import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { ENDPOINTS } from './routes';
import { errorSchema } from './schemas/common';

type JsonSchema = Record<string, unknown>;

/**
 * The service's OpenAPI 3.1 description, made from the schemas that validate requests and responses;
 * without `servers`, because only a request tells where the service is reached.
 */
export function describeApi(): JsonSchema {
  const schemas: Record<string, JsonSchema> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of ENDPOINTS) {
    const operations = (paths[endpoint.path] ??= {});
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Company Technology and Partnership Intelligence Service',
      version: '1',
      description:
        'The local service. Operations marked x-chosen, and bodies the interface does not show, are choices of it.',
    },
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  };
}

function operationOf(endpoint: Endpoint, schemas: Record<string, JsonSchema>): JsonSchema {
  const error = { 'application/json': { schema: toSchema(errorSchema, 'output', schemas) } };
  const refusals: Record<string, string> = {
    400: 'invalid_request, batch_too_large and other bad input',
    ...(endpoint.key === 'none' ? {} : { 401: 'invalid_api_key', 402: 'credit_exhausted' }),
    ...(endpoint.key === 'user' ? { 403: 'user_credential_required, insufficient_access' } : {}),
    429: 'operational_rate_limit_exceeded',
    ...endpoint.refusals,
  };
  return {
    tags: [endpoint.section],
    summary: endpoint.summary,
    ...(endpoint.chosen === true ? { 'x-chosen': true } : {}),
    ...(endpoint.key === 'none' ? { security: [] } : {}),
    parameters: [
      ...parametersOf(endpoint.params, 'path', schemas),
      ...parametersOf(endpoint.query, 'query', schemas),
    ],
    ...(endpoint.body === null
      ? {}
      : {
          requestBody: {
            required: endpoint.bodyOptional !== true,
            content: {
              'application/json': { schema: toSchema(endpoint.body, 'input', schemas) },
            },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.responses).map(([status, schema]) => [
          status,
          { description: endpoint.summary, ...contentOf(schema, schemas) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, codes]) => [
          status,
          { description: codes, content: error },
        ]),
      ),
    },
  };
}

function contentOf(
  schema: z.ZodType | 'text' | 'empty',
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  if (schema === 'empty') return {};
  if (schema === 'text') return { content: { 'text/csv': { schema: { type: 'string' } } } };
  return { content: { 'application/json': { schema: toSchema(schema, 'output', schemas) } } };
}

function parametersOf(
  schema: z.ZodType,
  where: 'path' | 'query',
  schemas: Record<string, JsonSchema>,
): JsonSchema[] {
  const { properties, required } = toSchema(schema, 'input', schemas) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: required?.includes(name) ?? false,
    schema: property,
  }));
}

/** JSON Schema of a schema; what has an id moves to the shared components. */
function toSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const json = JSON.parse(
    JSON.stringify(
      z.toJSONSchema(schema, { io, unrepresentable: 'any', override: asQueryValue }),
    ).replaceAll('#/$defs/', '#/components/schemas/'),
  ) as JsonSchema & { $defs?: Record<string, JsonSchema>; id?: string };
  const { $defs: shared = {}, ...own } = json;
  delete own.$schema;
  for (const [id, definition] of Object.entries(shared)) schemas[id] = withoutId(definition);
  if (own.id === undefined) return own;
  schemas[own.id] = withoutId(own);
  return { $ref: `#/components/schemas/${own.id}` };
}

/** Queries are text that is read as integers: describes what is meant instead of how it is read. */
function asQueryValue({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.type === 'integer') delete jsonSchema.pattern;
  if (jsonSchema.defaultValue === undefined) return;
  jsonSchema.default = jsonSchema.defaultValue;
  delete jsonSchema.defaultValue;
}

function withoutId(schema: JsonSchema): JsonSchema {
  const copy = { ...schema };
  delete copy.id;
  return copy;
}
