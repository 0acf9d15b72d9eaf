/** Tests every endpoint with random input. */
import fc from 'fast-check';
import { z } from 'zod/v4';
import { ENDPOINTS } from '../../sandbox/routes';
import { send, useSandbox } from './harness';

const service = useSandbox({
  companies: 120,
  keyLimits: { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 },
  choices: { definitionEditMs: 0 },
});

/** Query parameters that the endpoints know; the tests give them random values. */
const NAMES = ENDPOINTS.flatMap(({ query }) =>
  Object.keys(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
);
const FIELDS = ['domains', 'include', 'description', 'name', 'definition', 'root', 'user_id'];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '0', '-1', '1e9', '99999999999999999999', 'null', 'true', '%', '../..', '..'),
  fc.domain(),
);
const pathPart = fc.oneof(
  text.map((value) => encodeURIComponent(value)),
  fc.constantFrom('lst_000001', 'x', '%', '%ff', '%00', 'a%2Fb', 'shopify', 'google.com'),
);
const request = fc.record({
  endpoint: fc.constantFrom(...ENDPOINTS),
  parts: fc.tuple(pathPart, pathPart),
  query: fc.array(fc.tuple(fc.constantFrom(...NAMES), text), { maxLength: 4 }),
  body: fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    fc.record({ domains: fc.array(fc.oneof(text, fc.integer()), { maxLength: 120 }) }),
  ),
  key: fc.constantFrom('user' as const, 'organization' as const, 'nearlyOut' as const),
});

test('responds to random input on every endpoint without a server error', async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ endpoint: { method, path }, parts, query, body, key }) => {
      const rest = [...parts];
      const full = path.replace(/\{\w+\}/g, () => rest.shift()!);
      const search = new URLSearchParams(query).toString();
      const reply = await send(service.sandbox.baseUrl, method, `${full}?${search}`, {
        key,
        ...(method === 'GET' ? {} : { body }),
      });
      seen.add(reply.status);
      if (reply.status < 200 || reply.status >= 500) throw new Error(`${full}: ${reply.text}`);
      if (reply.status >= 400) expect(() => JSON.parse(reply.text) as unknown).not.toThrow();
    }),
    { numRuns: 800 },
  );
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 403, 404, 422]));
});
