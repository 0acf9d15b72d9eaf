/**
 * Tests that the nodes' table of endpoints matches the
 * local service, which follows the API spec exactly.
 */
import { z } from 'zod/v4';

import { ENDPOINTS } from '../../sandbox/routes';
import type { Endpoint, RowsEndpoint, QueryParameter } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';

const table = Object.values<Endpoint | RowsEndpoint>(api);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const shown = ENDPOINTS.filter(({ chosen }) => !chosen);

interface Property {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/**
 * Returns the query of a service endpoint as JSON Schema;
 * `presets` holds the defaults of an empty query.
 */
function queryOf(endpoint: Endpoint) {
  const service = ENDPOINTS.find((one) => nameOf(one) === nameOf(endpoint));
  const schema = z.toJSONSchema(service!.query, { io: 'input', unrepresentable: 'any' });
  const presets: unknown = service!.query.safeParse({ q: 'a' }).data;
  return {
    properties: (schema.properties ?? {}) as Record<string, Property>,
    presets: presets as Readonly<Record<string, unknown>>,
    required: schema.required ?? [],
  };
}

test('lists exactly the endpoints of the API spec', () => {
  expect(table.map(nameOf).sort()).toEqual(shown.map(nameOf).sort());
});

describe.each(table.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s',
  (_, endpoint) => {
    const { properties, presets, required } = queryOf(endpoint);
    const query: Readonly<Record<string, QueryParameter>> = endpoint.query ?? {};

    test('declares the same query parameters as the local service', () => {
      const { page }: Partial<RowsEndpoint> = endpoint;
      const paging = page
        ? ['page', 'limit']
        : nameOf(endpoint) === nameOf(api.members)
          ? ['limit', 'offset']
          : [];
      expect([...Object.keys(query), ...paging].sort()).toEqual(Object.keys(properties).sort());
      const needed = Object.keys(query).filter((name) => query[name]?.required === true);
      expect(needed).toEqual(required);
    });

    test('declares the same bounds and defaults as the local service', () => {
      const { page }: Partial<RowsEndpoint> = endpoint;
      if (page) {
        expect(properties.limit).toMatchObject({ minimum: 1, maximum: page.max });
        if (page.usual !== undefined) expect(presets.limit).toBe(page.usual);
      }
      for (const [name, { min, max, usual }] of Object.entries(query)) {
        const { minimum, maximum, minLength, maxLength } = properties[name] ?? {};
        if (min !== undefined) expect(minimum ?? minLength).toBe(min);
        if (max !== undefined) expect(maximum ?? maxLength).toBe(max);
        if (usual !== undefined) expect(presets[name]).toBe(usual);
      }
    });
  },
);
