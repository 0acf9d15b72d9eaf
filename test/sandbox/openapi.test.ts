import { z } from 'zod/v4';
import { ENDPOINTS } from '../../sandbox/routes';
import { send, useSandbox } from './harness';

const service = useSandbox();

const operation = z.looseObject({
  summary: z.string().min(1),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean() })),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const description = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
const read = async () => await service.read('/openapi.json', description, null);

test('describes every endpoint, and nothing else', async () => {
  const { paths } = await read();
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
});

test('names the address it was asked at as its server, whoever asked before', async () => {
  const { baseUrl, port } = service.sandbox;
  for (const origin of [`http://localhost:${port}`, baseUrl]) {
    const reply = await send(origin, 'GET', '/openapi.json', { key: null });
    expect(JSON.parse(reply.text)).toMatchObject({ servers: [{ url: origin }] });
  }
});

test('names every path parameter and the bounds of queries', async () => {
  const { paths } = await read();
  for (const [path, operations] of Object.entries(paths)) {
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const { parameters } of Object.values(operations)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => parameter.name)).toEqual(wanted);
      expect(inPath.every((parameter) => parameter.required)).toBe(true);
    }
  }
  const limit = paths['/v1/technologies']!.get!.parameters.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  });
  const q = paths['/v1/technologies']!.get!.parameters.find(({ name }) => name === 'q');
  expect(q).toMatchObject({
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  });
});

test('every reference leads somewhere', async () => {
  const api = await read();
  const references = [...JSON.stringify(api).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!);
  expect(references.length).toBeGreaterThan(50);
  for (const reference of new Set(references)) {
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? [];
    expect(Object.keys(api.components.schemas)).toContain(name);
  }
});
