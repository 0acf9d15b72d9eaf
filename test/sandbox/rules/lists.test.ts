import { KEYS } from '../../../sandbox';
import type { Company } from '../../../sandbox/data/companies';
import { REGISTRY_VERSION, savedDefinitionSchema } from '../../../sandbox/lists/definition';
import * as schemas from '../../../sandbox/schemas/lists';
import {
  condition,
  createList,
  NO_LIST,
  ok,
  refusal,
  SOFTWARE,
  stamped,
  useSandbox,
  type Reply,
} from '../harness';

const service = useSandbox();

const members = (id: string, query = '') =>
  service.read(`/v1/lists/${id}/members?limit=1000${query}`, schemas.memberRows);
const domainsOf = async (id: string, query = '') =>
  (await members(id, query)).members.map((member) => member.primary_domain);
const preview = (root: unknown) => service.post('/v1/lists/preview-count', stamped(root));

test.each([[{ name: ' ' }], [{}]])('Lists create: refuses %j, which has no name', async (body) => {
  expect((await service.post('/v1/lists', body)).status).toBe(400);
});

test('Lists delete: returns 404 after deletion', async () => {
  const path = `/v1/lists/${await createList(service)}`;
  expect((await service.remove(path)).status).toBe(204);
  expect(refusal(await service.get(path))).toEqual(NO_LIST);
});

test('Lists filter-fields: every field works with every operator it declares', async () => {
  const catalogue = await service.read('/v1/lists/filter-fields', schemas.filterCatalogueSchema);
  expect(catalogue.registry_version).toBe(REGISTRY_VERSION);
  for (const { key, type, operators } of catalogue.fields) {
    const single = { text: 'a', number: 5, boolean: true }[type];
    for (const operator of operators) {
      const root = condition(key, operator, operator === 'in' ? [single] : single);
      expect([key, operator, (await preview(root)).status]).toEqual([key, operator, 200]);
    }
  }
});

describe('with more than 10,000 companies', () => {
  const large = useSandbox({ companies: 10_050 });

  test('Lists 1: capped is true when the real count is at or above the preview ceiling', async () => {
    const count = async (least: number) => {
      const body = stamped(condition('tech_count', 'gte', least));
      return ok(await large.post('/v1/lists/preview-count', body), schemas.previewResponse);
    };
    expect(await count(0)).toEqual({ count: 10_000, capped: true });
    const few = await count(8);
    expect(few.capped).toBe(false);
    expect(few.count).toBeLessThan(10_000);
  });
});

test('Lists 2, Versioning 3: returns 422 for a malformed, unbounded or old tree wherever a tree is sent', async () => {
  const path = `/v1/lists/${await createList(service)}`;
  const put = (body: unknown) => service.put(`${path}/definition`, body);
  const create = (definition: unknown) => service.post('/v1/lists', { name: 'x', definition });
  const bad: unknown[] = [
    condition('no_such_field', 'equals', 'x'),
    condition('industry', 'contains', 'Soft'),
    { op: 'xor', children: [] },
    { op: 'and', children: [] },
    { op: 'not', children: [SOFTWARE.root] },
    'everything',
  ];
  const replies = bad.map(stamped).flatMap((tree) => [put(tree), create(tree)]);
  const ofOldCatalog = [undefined, '1999-01-01'].map((registry_version) =>
    put({ ...SOFTWARE, registry_version }),
  );
  const all = await Promise.all([
    ...bad.map(preview),
    ...replies,
    ...ofOldCatalog,
    put([]),
    create(null),
  ]);
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 422));
  expect((await service.read(path, schemas.listDetail)).definition.version).toBe(1);
});

test('Lists 3: returns 409 when another edit is saved first, and succeeds on retry', async () => {
  const path = `/v1/lists/${await createList(service, SOFTWARE)}/definition`;
  // Without a connection, so that requests that start together overlap even on a busy machine.
  const headers = { 'x-api-key': KEYS.user, 'content-type': 'application/json' };
  const body = JSON.stringify(SOFTWARE);
  const edit = () => service.sandbox.ask({ method: 'PUT', path, headers, body });
  const replies = await Promise.all([edit(), edit()]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await service.put(path, { ...SOFTWARE, version: 1 })).status).toBe(409);
  const { version } = await service.read(path, savedDefinitionSchema);
  expect((await service.put(path, { ...SOFTWARE, version })).status).toBe(200);
});

const MEDIA = stamped(condition('industry', 'equals', 'Media'));

test.each<[string, (list: string) => Promise<Reply>]>([
  ['States 4: replacing the definition', (list) => service.put(`${list}/definition`, MEDIA)],
  ['States 5: materialize', (list) => service.post(`${list}/materialize`)],
  ['States 5: force_refresh', (list) => service.get(`${list}/members?force_refresh=true`)],
])('%s makes cached members new', async (_rule, renew) => {
  const id = await createList(service, SOFTWARE);
  const before = await members(id);
  service.sandbox.advance(10);
  expect(await members(id)).toEqual(before);
  expect((await renew(`/v1/lists/${id}`)).status).toBe(200);
  expect((await members(id)).materialized_at > before.materialized_at).toBe(true);
});

test('Lists add domains: adds tracked domains as members, and reports the others', async () => {
  const id = await createList(service);
  const { primaryDomain } = service.hub();
  const add = async (...domains: string[]) =>
    ok(await service.post(`/v1/lists/${id}/domains`, { domains }), schemas.domainsAdded).domains;
  expect(await add(primaryDomain.toUpperCase(), 'unlisted.example', 'nodot')).toEqual([
    { domain: primaryDomain, status: 'added' },
    { domain: 'unlisted.example', status: 'not_tracked' },
    { domain: 'nodot', status: 'rejected' },
  ]);
});

test('Lists remove a domain: removes a company that was added by hand or matched by the filter', async () => {
  const id = await createList(service, SOFTWARE);
  const remove = async (domain: string) =>
    (await service.remove(`/v1/lists/${id}/domains/${domain}`)).status;
  const inFilter = (await domainsOf(id))[0]!;
  const byHand = service.companies((one) => one.industry !== 'Software')[0]!.primaryDomain;
  await service.post(`/v1/lists/${id}/domains`, { domains: [byHand] });
  for (const domain of [inFilter, byHand]) {
    expect(await remove(domain)).toBe(204);
    expect(await domainsOf(id, '&force_refresh=true')).not.toContain(domain);
    expect(await remove(domain)).toBe(404);
  }
  expect(await remove('nodot')).toBe(400);
});

test('Lists tree: and, or, not, technologies and numbers match the right companies', async () => {
  const { world } = service.sandbox;
  const { start, technology } = world.detections;
  const used = ({ id }: Company) =>
    Array.from(technology.subarray(start[id - 1], start[id])).map(
      (index) => world.technologies[index]!.key,
    );
  const inCountry = (name: string) => condition('country', 'equals', name);
  const cases: Array<[unknown, (one: Company) => boolean]> = [
    [
      condition('technology', 'in', ['shopify', 'stripe']),
      (one) => used(one).some((key) => ['shopify', 'stripe'].includes(key)),
    ],
    [condition('partnership_count', 'gte', 5), (one) => service.linksOf(one).length >= 5],
    [
      {
        op: 'and',
        children: [
          { op: 'or', children: ['Germany', 'France'].map(inCountry) },
          { op: 'not', children: [condition('industry', 'equals', 'Software')] },
        ],
      },
      (one) => ['Germany', 'France'].includes(one.country) && one.industry !== 'Software',
    ],
  ];
  for (const [root, expected] of cases) {
    const wanted = world.companies.filter(expected).map((one) => one.primaryDomain);
    expect(wanted.length).toBeGreaterThan(0);
    expect((await domainsOf(await createList(service, stamped(root)))).sort()).toEqual(
      wanted.sort(),
    );
  }
});
