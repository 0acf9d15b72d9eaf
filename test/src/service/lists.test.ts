import { serviceWith } from '../client/support/client';
import { json, TestService, text, type Answering } from '../client/support/service';
import { times } from '../client/support/limited-service';
import { failureOf } from '../client/support/timing';
import { InvalidResponseError } from '../../../src/client/errors';
import { CreditBudget } from '../../../src/run/run-guards';
import { Run } from '../../../src/run/run';
import {
  getDefinition,
  getFilterCatalog,
  previewCount,
  replaceDefinition,
} from '../../../src/service/lists/definitions';
import { exportMembers } from '../../../src/service/lists/export';
import { createRowIdReader, readEndpointRows } from '../../../src/service/endpoint';
import { api } from '../../../src/service/endpoints';
import { createList } from '../../../src/service/lists/lists';
import { addDomains, materialize, readMemberPages } from '../../../src/service/lists/members';
import { collectListing, type RowRange } from '../../../src/run/listing/listing';
import { sendAnyRequest } from '../../../src/service/any-request';

afterAll(TestService.stopAll);

const runWith = async (answering: Answering, credits = Infinity) =>
  new Run((await serviceWith(answering)).client, { credits: new CreditBudget(credits) });

const TREE = { op: 'and', children: [] };
const FIELD = { key: 'size', operators: ['gte'] };
const GONE = { error: 'company_not_found', message: 'No such company.' };

type Read = (run: Run) => Promise<unknown>;
const readDefinition: Read = async (run) => await getDefinition(run, 'l1');
const ANY_REQUEST = { method: 'GET', path: '/v1/lists', query: {}, body: undefined } as const;
const readExport: Read = async (run) => await exportMembers(run, 'l1');

it.each<[string, Read, unknown, RegExp]>([
  ['an error as a catalog', getFilterCatalog, { error: 'x', message: 'y' }, /service says: y/],
  ['an empty object as a catalog', getFilterCatalog, {}, /./],
  ['a text as a catalog', getFilterCatalog, 'text', /./],
  ['an error as a definition', readDefinition, GONE, /service says: No such company/],
  ['a nested error as a definition', readDefinition, { detail: GONE }, /No such company/],
  ['a preview without a count', async (run) => await previewCount(run, TREE), {}, /has no count/],
  ['an export of an unknown size', readExport, {}, /is not what the node requested/],
  ['an export of many rows', readExport, { total_count: 'many' }, /number of members/],
  ['an export of null rows', readExport, { total_count: null }, /number of members/],
])('refuses %s, even with status 200', async (_what, read, answer, message) => {
  const failure = await failureOf(read(await runWith(json(answer), 5)));
  expect(failure).toBeInstanceOf(InvalidResponseError);
  expect(failure.message).toMatch(message);
});

const MEMBERS = json({ members: [], total_count: 0 });
it.each<[string, Read, Answering?]>([
  ['Recompute List', async (run) => await materialize(run, 'l1')],
  ['an export', readExport, text('a,b', 200, { 'content-type': 'text/csv' })],
  ['API Request', async (run) => await sendAnyRequest(run, ANY_REQUEST)],
  [
    'Recompute Members',
    async (run) => {
      const range = { wanted: undefined, skip: 0 };
      return await readMemberPages(run, 'l1', { force_refresh: true }, range).next();
    },
  ],
])('lets the service compute longer than usual for %s', async (_what, read, answer = MEMBERS) => {
  const late: Answering = (request, response) => {
    setTimeout(() => {
      answer(request, response);
    }, 300);
  };
  const { client } = await serviceWith(late, { requestTimeoutMs: 100, slowTimeoutMs: 3_000 });
  await expect(read(new Run(client))).resolves.toBeDefined();
});

it.each<[unknown, unknown, unknown[]]>([
  [{ registry_version: 'r1', fields: [FIELD] }, 'r1', [{ registry_version: 'r1', ...FIELD }]],
  [{ data: { registry_version: 2, filters: [FIELD] } }, 2, [{ registry_version: 2, ...FIELD }]],
  [[FIELD], undefined, [FIELD]],
  // The fields are not found, so the response is one row.
  [{ registry_version: 'r1', a: FIELD }, 'r1', [{ registry_version: 'r1', a: FIELD }]],
])('reads the catalog from %j', async (answer, registryVersion, rows) => {
  expect(await getFilterCatalog(await runWith(json(answer)))).toEqual({ registryVersion, rows });
});

it.each<[unknown, unknown]>([
  [{}, { definition: {} }],
  [[TREE], { definition: [TREE] }],
  [TREE, { definition: TREE }],
  [{ ...TREE, version: 3 }, { definition: { ...TREE, version: 3 } }],
  [
    { definition: null, version: 1 },
    { definition: null, version: 1 },
  ],
  [{ data: { definition: TREE } }, { definition: TREE }],
])('reads the definition from %j', async (answer, saved) => {
  expect(await readDefinition(await runWith(json(answer)))).toEqual(saved);
});

it.each<[string, Answering, unknown]>([
  ['the saved definition', json({ ...TREE, version: 2 }), { definition: { ...TREE, version: 2 } }],
  ['nothing', text('', 204), { definition: TREE }],
  ['something else', json({ ok: true }), { ok: true, definition: TREE }],
  ['a version only', json({ version: 3 }), { version: 3, definition: TREE }],
])('returns the replaced definition when the response is %s', async (_what, answer, saved) => {
  expect(await replaceDefinition(await runWith(answer), 'l1', TREE)).toEqual(saved);
});

it.each<[unknown, string]>([
  [{ count: 10_000, capped: true }, '10,000+'],
  [{ count: 9999, capped: false }, '9,999'],
])('formats the preview %j as %s', async (answer, text) => {
  expect(await previewCount(await runWith(json(answer)), TREE)).toMatchObject({ count_text: text });
});

it.each([
  [{ name: 'x' }, /parameters/],
  [
    { name: 'x', definition: TREE },
    /^Easiest: read an existing list .* change a copy\. Nothing was changed\.$/,
  ],
])('adapts the hint when creating the list %j fails with 422', async (body, hint) => {
  expect(await failureOf(createList(await runWith(json({}, 422)), body))).toMatchObject({
    hint: expect.stringMatching(hint) as unknown,
  });
});

it.each([
  [{ company_id: 7, slug: 'acme' }, 'company_id:7'],
  [{ id: 'm_1', company_id: null }, 'id:m_1'],
  [{ slug: null, primary_domain: 'acme.com' }, 'primary_domain:acme.com'],
  [{ tier: 'high', company: { slug: 'acme' } }, 'slug:acme'],
  [{ id: 1, company: { id: 2 } }, 'id:1'],
  [{}, undefined],
  [{ id: null, company: 'Acme' }, undefined],
])('identifies the member %j as %s', (member, id) => {
  expect(createRowIdReader(api.members)(member)).toBe(id);
});

const ACCEPTED = { status: 'accepted' };

it.each<[string, Answering, Record<string, unknown>]>([
  [
    'rows that name a domain',
    json({ domains: [{ domain: 'www.A.com', status: 'new', company_id: 7 }] }),
    { 'a.com': { status: 'new', company_id: 7 } },
  ],
  ['rows without a status', json([{ domain: 'b.com' }]), { 'b.com': ACCEPTED }],
  ['nothing', text('', 204), { 'a.com': ACCEPTED, 'b.com': ACCEPTED }],
  ['an empty object', json({}), { 'a.com': ACCEPTED, 'b.com': ACCEPTED }],
  ...[{ added: 2 }, { added: ['a.com'], rejected: ['b.com'] }, { domains: ['a.com'] }].map(
    (response): [string, Answering, Record<string, unknown>] => [
      JSON.stringify(response),
      json(response),
      { 'a.com': { ...ACCEPTED, response }, 'b.com': { ...ACCEPTED, response } },
    ],
  ),
])('reads the result of added domains from %s', async (_what, answer, expected) => {
  const rows = await addDomains(await runWith(answer), 'l1', ['a.com', 'b.com']);
  expect(Object.fromEntries(rows)).toEqual(expected);
});

it('exports no more members than there are credits', async () => {
  const run = await runWith(json({ total_count: 12 }), 11);
  expect(await materialize(run, 'l1')).toEqual({ total_count: 12 });
  await expect(readExport(run)).rejects.toMatchObject({ code: 'max_credits' });
});

it('counts the members of an export that breaks off as charged', async () => {
  const brokenOff: Answering = (request, response) => {
    if (request.url.endsWith('/materialize')) json({ total_count: 12 })(request, response);
    else {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('a,b', () => response.destroy());
    }
  };
  const run = await runWith(brokenOff, 20);
  await expect(readExport(run)).rejects.toMatchObject({ code: 'no_answer' });
  expect(run.stats).toMatchObject({ creditsAtMost: 12, unconfirmed: 1 });
});

it.each([
  ['', 0],
  ['domain\n', 0],
  ['domain\r\na.com\r\nb.com', 2],
  ['domain\na.com\nb.com\n', 2],
])('counts the lines of the exported file %j as credits', async (csv, credits) => {
  const { client, received } = await serviceWith(text(csv, 200, { 'content-type': 'text/csv' }));
  const run = new Run(client);
  await readExport(run);
  expect(run.credits.maxSpent).toBe(credits);
  expect(received).toHaveLength(1);
});

it('names the operation that writes page by page when a file is too large', async () => {
  const run = new Run((await serviceWith(json({}))).client);
  const init = { code: 'response_too_large', message: 'Too large', hint: 'Request fewer rows.' };
  jest.spyOn(run, 'request').mockRejectedValue(new InvalidResponseError(init));
  await expect(readExport(run)).rejects.toMatchObject({
    hint: expect.stringMatching(/Get Many Members/) as unknown,
  });
});

it.each<[string, Partial<RowRange>, string[], unknown[]]>([
  ['all', {}, ['', '?page=2&limit=30', '?page=3&limit=30'], times(65, (index) => index + 1)],
  ['3 after the first 29', { wanted: 3, skip: 29 }, ['', '?page=16&limit=2'], [30, 31, 32]],
])(
  'reads %s of the lists in the standard envelope by page and limit',
  async (_what, range, queries, ids) => {
    const service = await serviceWith(({ url }, response) => {
      const query = new URL(url, 'http://service.test').searchParams;
      const page = Number(query.get('page') ?? 1);
      const limit = Number(query.get('limit') ?? 30);
      const all = times(65, (index) => ({ list_id: index + 1 }));
      const lists = all.slice((page - 1) * limit, page * limit);
      const pagination = { page, limit, total_results: 65, has_next: page * limit < 65 };
      response.end(JSON.stringify({ lists, pagination }));
    });
    const whole = { wanted: undefined, ...range };
    const { rows } = await readEndpointRows(new Run(service.client), api.lists, {}, whole);
    expect(rows.map((row) => row.list_id)).toEqual(ids);
    expect(service.received.map(({ url }) => url.replace('/v1/lists', ''))).toEqual(queries);
  },
);

it('reads the members that a search finds in a list whose counts are of all members', async () => {
  const members = [{ slug: 'acme' }, { slug: 'acme-labs' }];
  const run = await runWith(json({ members, total_count: 250 }));
  const query = { search_name_or_domain: 'acme' };
  const range = { wanted: undefined, skip: 0 };
  const pages = await collectListing(readMemberPages(run, 'l1', query, range));
  expect(pages).toMatchObject({ rows: members, total: undefined });
  expect(pages.failure).toBeUndefined();
});

it.each<[Record<string, string>, Record<string, unknown>]>([
  [{}, { name: 'A' }],
  [{ location: '/v1/lists/l7' }, { list_id: 'l7', name: 'A' }],
  [{ location: 'https://elsewhere.test/v1/lists/l7?x' }, { list_id: 'l7', name: 'A' }],
])('confirms a list when it is an empty 201 with the headers %j', async (headers, list) => {
  const run = await runWith(text('', 201, headers));
  expect(await createList(run, { name: 'A' })).toEqual(list);
});
