/**
 * Tests that the nodes' table of endpoints matches the local service, which follows the API spec
 * exactly: a parameter, bound or default that only one of them has fails.
 */
import { z } from 'zod/v4';

import { FIXED_CHOICES } from '../../sandbox/choices';
import { ENDPOINTS } from '../../sandbox/routes';
import type { Endpoint, RowsEndpoint, QueryParameter } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import { omitFields } from '../../src/run/responses/rows';

const table = Object.values<Endpoint | RowsEndpoint>(api);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** The endpoint whose stated default is also the one that the local service chose elsewhere. */
const STATES_ITS_LIMIT = 'GET /v1/technologies';

/** A query parameter as both sides describe it. */
type Described = Partial<Omit<QueryParameter, 'is'>>;

/** Every number of rows is at least 0 or 1, which the table leaves out. */
const boundOf = (min: number | undefined) => (min === 0 || min === 1 ? undefined : min);

function inTable({ query = {}, page }: Endpoint & Partial<RowsEndpoint>) {
  const paging = page ? describePaging(page) : {};
  const own = Object.entries(query).map(([name, { is, oneOf, ...rest }]) => [
    name,
    // The service reads a boolean as one of two texts.
    {
      ...omitFields(rest, ['firstPageOnly']),
      min: boundOf(rest.min),
      oneOf: is === 'boolean' ? ['false', 'true'] : oneOf?.toSorted(),
    },
  ]);
  return { ...(Object.fromEntries(own) as Record<string, Described>), ...paging };
}

function describePaging({ by, max, usual }: RowsEndpoint['page']): Record<string, Described> {
  if (by === 'response') return {};
  // The API spec shows no bounds for an offset.
  if (by === 'offset') return { offset: {}, limit: {} };
  return { page: {}, limit: { max, ...(usual && { usual }) } };
}

interface Property {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: string[];
}

function inService(endpoint: Endpoint): Record<string, Described> {
  const { query } = ENDPOINTS.find((one) => nameOf(one) === nameOf(endpoint))!;
  const schema = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  const presets = query.safeParse({ q: 'a' }).data as Readonly<Record<string, unknown>>;
  const described = Object.entries((schema.properties ?? {}) as Record<string, Property>).map(
    ([name, one]) => [
      name,
      {
        required: schema.required?.includes(name) === true ? true : undefined,
        min: boundOf(one.minimum ?? one.minLength),
        max: boundedBy(one.maximum ?? one.maxLength),
        usual: defaultOf(name, presets[name], nameOf(endpoint) === STATES_ITS_LIMIT),
        oneOf: one.enum?.toSorted(),
      },
    ],
  );
  const found = Object.fromEntries(described) as Record<string, Described>;
  if ('offset' in found) Object.assign(found, { offset: {}, limit: {} });
  return JSON.parse(JSON.stringify(found)) as typeof found;
}

function boundedBy(max: number | undefined): number | undefined {
  return max !== undefined && max < 1_000_000_000 ? max : undefined;
}

/** Returns a default that the API spec states. An empty list, false and the first page are none. */
function defaultOf(name: string, preset: unknown, isStated: boolean): Described['usual'] {
  if (name === 'page' || name === 'q') return undefined;
  const chosen = name === 'limit' && preset === FIXED_CHOICES.defaultPageSize && !isStated;
  return chosen || (typeof preset !== 'number' && typeof preset !== 'string') ? undefined : preset;
}

test('lists exactly the endpoints of the API spec', () => {
  const shown = ENDPOINTS.filter(({ key }) => key !== 'none');
  expect(table.map(nameOf).toSorted()).toEqual(shown.map(nameOf).toSorted());
});

test.each(table.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s has the same query parameters, bounds and defaults as the local service',
  (_, endpoint) => {
    expect(inTable(endpoint)).toEqual(inService(endpoint));
  },
);
