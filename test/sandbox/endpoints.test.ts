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
const shown = ENDPOINTS.filter(({ key }) => key !== 'none');

interface Property {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: string[];
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

function isNoDefault(name: string, preset: unknown): boolean {
  return ['limit', 'q'].includes(name) || !preset || Array.isArray(preset);
}

function boundsOf({ min, max, usual, oneOf, is }: Partial<QueryParameter>) {
  return { min, max, usual, oneOf: is === 'text' ? oneOf?.toSorted() : undefined };
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
      const rowsOf = { limit: { is: 'number', min: 1, max: page?.max, usual: page?.usual } };
      const declared: Readonly<Record<string, Partial<QueryParameter>>> = page
        ? { ...query, ...(rowsOf as Record<string, Partial<QueryParameter>>) }
        : query;
      for (const [name, parameter] of Object.entries(declared)) {
        expect([name, boundsOf(parameter)]).toEqual([name, boundsInService(name, parameter)]);
      }

      function boundsInService(name: string, { min, usual, is }: Partial<QueryParameter>) {
        const one = properties[name] ?? {};
        const lowest = one.minimum ?? one.minLength;
        const most = one.maximum ?? one.maxLength;
        const preset = presets[name];
        return {
          // The table needs no bound that any number of rows has.
          min: min === undefined && (lowest === 0 || lowest === 1) ? undefined : lowest,
          max: most === Number.MAX_SAFE_INTEGER ? undefined : most,
          // The API spec shows no default of some pages; empty lists and false are none.
          usual: usual === undefined && isNoDefault(name, preset) ? undefined : preset,
          oneOf: is === 'text' ? one.enum?.toSorted() : undefined,
        };
      }
    });
  },
);
