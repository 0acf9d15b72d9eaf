import { parse } from 'csv-parse/sync';
import { z } from 'zod/v4';
import type { Company } from '../../../sandbox/data/companies';
import { REGISTRY_VERSION, savedDefinitionSchema } from '../../../sandbox/lists/definition';
import * as schemas from '../../../sandbox/schemas/lists';
import { ok, refusal, sendDirectly, useSandbox } from '../harness';
import { condition, createList, NO_LIST, SOFTWARE, stamped } from '../listHarness';

const service = useSandbox();

const member = z.object({ primary_domain: z.string(), tier: z.string(), added_by: z.string() });
const memberBody = z.object({
  members: z.array(member),
  total_count: z.int(),
  materialized_at: z.string(),
});
const members = async (id: string, query = '') =>
  await service.read(`/v1/lists/${id}/members?limit=1000${query}`, memberBody);
const domainsOf = async (id: string, query = '') =>
  (await members(id, query)).members.map((member) => member.primary_domain);
const atOnce = (method: string, path: string, body?: unknown) =>
  sendDirectly(service.sandbox, method, path, body);
const preview = (definition: unknown) => service.post('/v1/lists/preview-count', definition);

test('Lists create: returns a list_id and the definition, which is empty when none is given', async () => {
  const empty = ok(await service.post('/v1/lists', { name: 'Empty' }), schemas.listDetail, 201);
  expect(empty.definition).toMatchObject({ version: 1, root: null });
  expect(empty.access_level).toBe('owner');
  expect((await members(empty.list_id)).total_count).toBe(0);
  const body = { name: 'Software', definition: SOFTWARE };
  const filled = ok(await service.post('/v1/lists', body), schemas.listDetail, 201);
  expect(filled.definition.root).toEqual(SOFTWARE.root);
  expect(filled.list_id).not.toBe(empty.list_id);
  expect((await service.post('/v1/lists', { name: ' ' })).status).toBe(400);
  expect((await service.post('/v1/lists', {})).status).toBe(400);
});

test('Lists rename and delete: changes the name, and returns 404 after deletion', async () => {
  const id = await createList(service);
  ok(await service.patch(`/v1/lists/${id}`, { name: 'Renamed' }), schemas.listSummary);
  expect((await service.read(`/v1/lists/${id}`, schemas.listDetail)).name).toBe('Renamed');
  expect((await service.remove(`/v1/lists/${id}`)).status).toBe(204);
  expect(refusal(await service.get(`/v1/lists/${id}`))).toEqual(NO_LIST);
});

test('Lists filter-fields: every field works with every operator it declares', async () => {
  const catalogue = await service.read('/v1/lists/filter-fields', schemas.filterCatalogueSchema);
  expect(catalogue.registry_version).toBe(REGISTRY_VERSION);
  for (const { key, type, operators } of catalogue.fields) {
    const single = { text: 'a', number: 5, boolean: true }[type];
    for (const operator of operators) {
      const root = condition(key, operator, operator === 'in' ? [single] : single);
      const { status } = await preview(stamped(root));
      expect([key, operator, status]).toEqual([key, operator, 200]);
    }
  }
});

test('Lists preview-count: counts the matches of a tree without changing any list', async () => {
  const before = (await service.get('/v1/lists')).text;
  const body = ok(await preview(SOFTWARE), schemas.previewResponse);
  expect(body).toEqual({
    count: service.companies((one) => one.industry === 'Software').length,
    capped: false,
  });
  expect((await service.get('/v1/lists')).text).toBe(before);
});

describe('with more than 10,000 companies', () => {
  const large = useSandbox({ companies: 10_050 });

  test('Lists 1: capped is true when the real count is at or above the preview ceiling', async () => {
    const count = async (root: unknown) =>
      ok(await large.post('/v1/lists/preview-count', stamped(root)), schemas.previewResponse);
    expect(await count(condition('tech_count', 'gte', 0))).toEqual({
      count: 10_000,
      capped: true,
    });
    const few = await count(condition('tech_count', 'gte', 8));
    expect(few.capped).toBe(false);
    expect(few.count).toBeLessThan(10_000);
  });
});

test('Lists 2: returns 422 for a malformed or unbounded tree wherever a tree is sent', async () => {
  const id = await createList(service);
  const bad: unknown[] = [
    condition('no_such_field', 'equals', 'x'),
    condition('industry', 'contains', 'Soft'),
    { op: 'xor', children: [] },
    { op: 'and', children: [] },
    { op: 'not', children: [condition('industry', 'equals', 'Software')] },
    'everything',
  ];
  for (const root of bad) {
    for (const reply of [
      await preview(stamped(root)),
      await service.put(`/v1/lists/${id}/definition`, stamped(root)),
      await service.post('/v1/lists', { name: 'x', definition: stamped(root) }),
    ]) {
      expect(reply.status).toBe(422);
    }
  }
  expect((await service.put(`/v1/lists/${id}/definition`, [])).status).toBe(422);
  expect((await service.post('/v1/lists', { name: 'x', definition: null })).status).toBe(422);
  expect((await service.read(`/v1/lists/${id}`, schemas.listDetail)).definition.version).toBe(1);
});

test('Versioning 3: a definition is stored with the registry_version of the catalog, and needs it', async () => {
  const id = await createList(service, SOFTWARE);
  const saved = await service.read(`/v1/lists/${id}/definition`, savedDefinitionSchema);
  expect(saved.registry_version).toBe(REGISTRY_VERSION);
  for (const registry_version of [undefined, '1999-01-01']) {
    const body = { root: SOFTWARE.root, registry_version };
    expect((await service.put(`/v1/lists/${id}/definition`, body)).status).toBe(422);
  }
});

test('Lists 3: returns 409 when another edit is saved first, and succeeds on retry', async () => {
  const id = await createList(service, SOFTWARE);
  const path = `/v1/lists/${id}/definition`;
  const edit = async () => (await atOnce('PUT', path, SOFTWARE)).status;
  expect((await Promise.all([edit(), edit()])).sort()).toEqual([200, 409]);
  const stale = await service.put(path, { ...SOFTWARE, version: 1 });
  expect(stale.status).toBe(409);
  const { version } = await service.read(path, savedDefinitionSchema);
  expect((await service.put(path, { ...SOFTWARE, version })).status).toBe(200);
});

test('States 4: replacing the definition appends a version and invalidates the cached members', async () => {
  const id = await createList(service, SOFTWARE);
  const before = await members(id);
  service.sandbox.advance(10);
  expect((await members(id)).materialized_at).toBe(before.materialized_at);
  const media = stamped(condition('industry', 'equals', 'Media'));
  const saved = ok(await service.put(`/v1/lists/${id}/definition`, media), savedDefinitionSchema);
  expect(saved).toEqual({ ...media, version: 2 });
  const after = await members(id);
  expect(after.materialized_at > before.materialized_at).toBe(true);
  expect(after.total_count).toBe(service.companies((one) => one.industry === 'Media').length);
});

test('States 5: force_refresh and materialize recompute the members', async () => {
  const id = await createList(service, SOFTWARE);
  const before = await members(id);
  service.sandbox.advance(10);
  expect(await members(id)).toEqual(before);
  const counts = ok(await service.post(`/v1/lists/${id}/materialize`), schemas.tierCountsSchema);
  expect(counts.total_count).toBe(before.total_count);
  const cached = await members(id);
  expect(cached.materialized_at > before.materialized_at).toBe(true);
  service.sandbox.advance(10);
  const forced = await members(id, '&force_refresh=true');
  expect(forced.materialized_at > cached.materialized_at).toBe(true);
});

test('Lists members: limit, offset, tier and search_name_or_domain select members', async () => {
  const id = await createList(service, SOFTWARE);
  const all = await domainsOf(id);
  expect(all.length).toBe(service.companies((one) => one.industry === 'Software').length);
  const page = await service.read(`/v1/lists/${id}/members?limit=3&offset=2`, memberBody);
  expect(page.members.map((member) => member.primary_domain)).toEqual(all.slice(2, 5));
  expect(page.total_count).toBe(all.length);
  const high = await members(id, '&tier=high');
  expect(high.members.every((member) => member.tier === 'high')).toBe(true);
  const text = all[0]!.slice(0, 6);
  expect(await domainsOf(id, `&search_name_or_domain=${text}`)).toContain(all[0]);
  expect(await domainsOf(id, '&search_name_or_domain=zzzzzz')).toEqual([]);
  expect((await service.get(`/v1/lists/${id}/members?tier=low`)).status).toBe(400);
});

test('Lists materialize: the three tiers add up to the total', async () => {
  const id = await createList(service, SOFTWARE);
  const counts = ok(await service.post(`/v1/lists/${id}/materialize`), schemas.tierCountsSchema);
  expect(counts.high_count + counts.medium_count + counts.exploratory_count).toBe(
    counts.total_count,
  );
  for (const tier of ['high', 'medium', 'exploratory'] as const) {
    expect(counts[`${tier}_count`]).toBeGreaterThan(0);
    expect((await members(id, `&tier=${tier}`)).total_count).toBe(counts[`${tier}_count`]);
  }
});

test('Lists export.csv: exports all members and charges for each once', async () => {
  const id = await createList(service, SOFTWARE);
  const reply = await service.get(`/v1/lists/${id}/export.csv`);
  expect(reply.headers.get('content-type')).toMatch(/^text\/csv/);
  const rows: Array<Record<string, string>> = parse(reply.text, { columns: true });
  expect(rows.map((row) => row.primary_domain)).toEqual(await domainsOf(id));
  expect(service.spent()).toBe(rows.length);
  await service.get(`/v1/lists/${id}/export.csv`);
  expect(service.spent()).toBe(rows.length);
  service.sandbox.setKey('colleague', { credits: 0 });
  expect((await service.get(`/v1/lists/${id}/export.csv`)).status).toBe(200);
});

test('Lists add domains: adds tracked domains as members, and reports the others', async () => {
  const id = await createList(service);
  const { primaryDomain } = service.hub();
  const body = { domains: [primaryDomain.toUpperCase(), 'unlisted.example', 'nodot'] };
  expect(ok(await service.post(`/v1/lists/${id}/domains`, body), schemas.domainsAdded)).toEqual({
    domains: [
      { domain: primaryDomain, status: 'added' },
      { domain: 'unlisted.example', status: 'not_tracked' },
      { domain: 'nodot', status: 'rejected' },
    ],
  });
  const again = await service.post(`/v1/lists/${id}/domains`, { domains: [primaryDomain] });
  expect(ok(again, schemas.domainsAdded).domains).toMatchObject([{ status: 'already_present' }]);
  expect((await members(id)).members).toMatchObject([
    { primary_domain: primaryDomain, added_by: 'hand' },
  ]);
});

test('Lists remove a domain: removes a company that was added by hand or matched by the filter', async () => {
  const id = await createList(service, SOFTWARE);
  const inFilter = (await domainsOf(id))[0]!;
  const byHand = service.companies((one) => one.industry !== 'Software')[0]!.primaryDomain;
  await service.post(`/v1/lists/${id}/domains`, { domains: [byHand] });
  for (const domain of [inFilter, byHand]) {
    expect((await service.remove(`/v1/lists/${id}/domains/${domain}`)).status).toBe(204);
    expect(await domainsOf(id, '&force_refresh=true')).not.toContain(domain);
    expect((await service.remove(`/v1/lists/${id}/domains/${domain}`)).status).toBe(404);
  }
  expect((await service.remove(`/v1/lists/${id}/domains/nodot`)).status).toBe(400);
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
