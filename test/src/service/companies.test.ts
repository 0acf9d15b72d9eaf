import { serviceWith } from '../client/support/client';
import { times } from '../client/support/limited-service';
import { inTurn, json, TestService, text, type Answering } from '../client/support/service';
import { drawNetwork } from '../../../src/graph/picture';
import type { Listing } from '../../../src/run/listing/listing';
import { CreditBudget } from '../../../src/run/run-guards';
import { Run } from '../../../src/run/run';
import { createFlag, lookUpCompanies } from '../../../src/service/companies';
import { readEndpointObject, readEndpointRows } from '../../../src/service/endpoint';
import { api, countCompanyCredits, countEnrichmentCredits } from '../../../src/service/endpoints';
import { readNetwork } from '../../../src/service/graphs';

afterAll(TestService.stopAll);

const runAgainst = async (answering: Answering) => new Run((await serviceWith(answering)).client);

it.each<[unknown, string[]]>([
  [['bad.com'], ['bad.com']],
  [['BAD.com.'], ['bad.com']],
  [[{ domain: 'bad.com', reason: 'malformed' }], ['bad.com']],
  [[null, 5, 'bad.com'], ['bad.com']],
  [[{ code: 'malformed', original: 'Bad.com' }], ['bad.com']],
  [[{ reason: 'malformed', value: 'bad.com' }], ['bad.com']],
  [[{ error: 'malformed', input: 'www.bad.com' }], ['bad.com']],
  [null, []],
  ['bad', []],
  [[null, 7, {}, []], []],
  [7, []],
])('reads the rejected domains from %j: %j', async (rejected_domains, domains) => {
  const run = await runAgainst(json({ data: [], rejected_domains }));
  expect([...(await lookUpCompanies(run, ['bad.com'], [])).rejected]).toEqual(domains);
});

it('returns companies that are only listed as not found, and the own row of others', async () => {
  const company = { name: 'A', primary_domain: 'a.com', slug: 'a' };
  const nothing = { technologies: [], partnerships: [], technology_count: 0, partnership_count: 0 };
  const a = { domain: 'a.com', status: 'tracked', company, ...nothing };
  const b = { domain: 'b.com', status: 'not_tracked', company: null, note: 'new' };
  const c = { domain: 'c.com', status: 'not_tracked' };
  const run = await runAgainst(json({ data: [a, b], domains_not_found: ['b.com', 'WWW.C.com'] }));
  const { rows } = await lookUpCompanies(run, ['a.com', 'b.com', 'c.com'], []);
  expect(Object.fromEntries(rows)).toEqual({ 'a.com': a, 'b.com': b, 'c.com': c });
});

it.each([
  [{ status: 'not_tracked' }, 0],
  [{ status: 'tracked' }, 1],
  [{ status: 'tracked', partnerships: [{}, {}] }, 3],
  [{ status: 'who knows', partnerships: 'many' }, 1],
])('%j costs up to %i credits', (row, credits) => {
  expect(countCompanyCredits(row)).toBe(credits);
});

it.each([
  ['found', 1],
  ['no_partnerships', 1],
  ['not_tracked', 0],
])('a partnership row with the status %s costs up to %i credits', (status, credits) => {
  expect(countEnrichmentCredits({ status })).toBe(credits);
});

const node = (id: unknown, more = {}) => ({ id, name: `N${String(id)}`, ...more });

it.each<[unknown]>([
  [{ root_company: 1, nodes: [node(1), node(2)], edges: [{ source: 1, target: 2 }] }],
  [{ root_company: 'a', nodes: [node('a'), node('b')], edges: [{ source: 'a', target: 'b' }] }],
  [{ root_company: null, nodes: [node(1, { is_root: true }), node(2)], edges: null }],
  [{ root_companies: null, nodes: [node(1), node(2)] }],
  [{ nodes: [node(1, { name: null, primary_domain: null, partnership_count: '7' }), node(2)] }],
])('reads a graph from %j', (answer) => {
  const network = readNetwork(answer as Record<string, unknown>);
  expect(network.nodes).toHaveLength(2);
  expect(drawNetwork(network).match(/class="node /g)).toHaveLength(2);
});

it.each([
  [{ nodes: 'x', edges: [] }, 'nodes should be a list'],
  [{ nodes: [{ id: {} }], edges: [] }, 'nodes: entry 1 has no id "id"'],
  [{ nodes: [7], edges: [] }, 'nodes: entry 1 is not usable'],
  [{ nodes: [], edges: [{ source: 1 }] }, 'edges: entry 1 has no id "target"'],
])('refuses the graph %j: %s', (answer, words) => {
  expect(() => readNetwork(answer)).toThrow(`The response is not a graph: ${words}`);
});

it('confirms a flag when an empty response is a 201, but no other', async () => {
  expect(await createFlag(await runAgainst(text('', 201)), 'acme.com', 'x')).toEqual({});
  for (const status of [200, 202]) {
    await expect(createFlag(await runAgainst(text('', status)), 'acme.com', 'x')).rejects.toThrow(
      /outcome of this request is unknown/,
    );
  }
});

it('counts fields of an unexpected type in a flag that is confirmed by 201', async () => {
  const run = await runAgainst(json({ flag_id: 1, status: 7 }, 201));
  await createFlag(run, 'acme.com', 'x');
  expect(run.mismatches).toMatchObject({ field: 'status' });
});

const ALL = { wanted: undefined, skip: 0 };
const PAIR = { identifier_a: 'a.com', identifier_b: 'b.com' };
const OF_A = { identifier: 'a.com', q: undefined, partnership_types: undefined, sort: undefined };

it.each<[string, (run: Run) => Promise<Listing>]>([
  ['partners', (run) => readEndpointRows(run, api.partners, OF_A, ALL)],
  ['shared partners', (run) => readEndpointRows(run, api.sharedPartners, PAIR, ALL)],
])('reads a row for each type of one of the %s', async (_what, read) => {
  const of = (partnership_type: string, partner_domain = 'c.com') => ({
    partner_domain,
    partnership_type,
  });
  const pagination = { total_results: 102 };
  const first = [of('channel'), ...times(99, (index) => of('channel', `p${String(index)}.com`))];
  const last = [of('technology'), of('channel')];
  const pages = [first, last].map((data) => json({ data, pagination }));
  const { rows } = await read(await runAgainst(inTurn(...pages)));
  expect(rows).toEqual([...first, of('technology')]);
});

it.each([
  [undefined, 48, 0],
  [undefined, 49, 1],
  [10, 8, 0],
  [10, 9, 1],
])('reserves a credit per node of a graph, of 50 by default: %p with %i', async (...row) => {
  const [max_nodes, credits, requests] = row;
  const { received, client } = await serviceWith(json({ nodes: [], edges: [] }));
  const run = new Run(client, { credits: new CreditBudget(credits) });
  const args = { identifier: 'a.com', depth: undefined, max_nodes };
  const read = readEndpointObject(run, api.companyGraph, args);
  if (requests === 0) await expect(read).rejects.toMatchObject({ code: 'max_credits' });
  else await read;
  expect(received).toHaveLength(requests);
});
