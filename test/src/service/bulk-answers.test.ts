/** Tests how services may write responses about companies: each row of the tables is one shape. */
import { createFlag, lookUpCompanies } from '../../../src/service/companies';
import { countCompanyCredits, countEnrichmentCredits } from '../../../src/service/endpoints';
import { readNetwork } from '../../../src/service/graphs';
import { exportMembers } from '../../../src/service/lists/export';
import { createList } from '../../../src/service/lists/lists';
import { materialize } from '../../../src/service/lists/members';
import { toDot } from '../../../src/graph/exports';
import { drawNetwork } from '../../../src/graph/picture';
import { CreditBudget } from '../../../src/run/run-guards';
import { Run } from '../../../src/run/run';
import { serviceWith } from '../client/support/client';
import { json, TestService, text, type Answering } from '../client/support/service';

afterAll(TestService.stopAll);

async function runAgainst(answering: Answering, credits?: CreditBudget) {
  const { client } = await serviceWith(answering);
  return new Run(client, Infinity, credits === undefined ? {} : { credits });
}

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

describe('companies', () => {
  const company = { name: 'A', primary_domain: 'a.com', slug: 'a' };
  const nothing = { technologies: [], partnerships: [], technology_count: 0, partnership_count: 0 };
  const tracked = { domain: 'a.com', status: 'tracked', company, ...nothing };
  const read = async (data: object[], domains_not_found?: string[]) => {
    const run = await runAgainst(json({ data, domains_not_found }));
    return await lookUpCompanies(run, ['a.com', 'b.com'], []);
  };

  it('are rows too if they are only listed as not found', async () => {
    const { rows } = await read([tracked], ['WWW.B.com']);

    expect(Object.fromEntries(rows)).toEqual({
      'a.com': tracked,
      'b.com': { domain: 'b.com', status: 'not_tracked' },
    });
  });

  it('keep their own row if they are also listed as not found', async () => {
    const row = { domain: 'b.com', status: 'not_tracked', company: null, note: 'new' };

    expect((await read([row], ['b.com'])).rows.get('b.com')).toEqual(row);
  });

  it.each([
    [{ status: 'not_tracked' }, 0],
    [{ status: 'tracked' }, 1],
    [{ status: 'tracked', partnerships: [{}, {}] }, 3],
    [{ status: 'who knows', partnerships: 'many' }, 1],
  ])('%j costs up to %i credits', (row, credits) => {
    expect(countCompanyCredits(row)).toBe(credits);
  });
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
  expect(toDot(network)).toMatch(/graph/);
});

describe('the number of members', () => {
  it('limits the export', async () => {
    const run = await runAgainst(json({ total_count: 12 }), new CreditBudget(11));

    expect(await materialize(run, 'l1')).toEqual({ total_count: 12 });
    await expect(exportMembers(run, 'l1')).rejects.toMatchObject({ code: 'max_credits_reached' });
  });

  it.each([
    [{}, /is not what the node requested/],
    [{ total_count: 'many' }, /did not return the number of members/],
    [{ total_count: null }, /did not return the number of members/],
  ])('is not read from %j, and the export fails', async (body, message) => {
    const run = await runAgainst(json(body), new CreditBudget(5));

    await expect(exportMembers(run, 'l1')).rejects.toThrow(message);
  });
});

describe('the response to a creation', () => {
  it('confirms a flag when it is an empty 201', async () => {
    const run = await runAgainst(text('', 201));
    expect(await createFlag(run, 'acme.com', 'x')).toEqual({});
  });

  it.each<[Record<string, string>, Record<string, unknown>]>([
    [{}, { name: 'A' }],
    [{ location: '/v1/lists/l7' }, { list_id: 'l7', name: 'A' }],
    [{ location: 'https://elsewhere.test/v1/lists/l7?x' }, { list_id: 'l7', name: 'A' }],
  ])('confirms a list when it is an empty 201 with the headers %j', async (headers, list) => {
    const run = await runAgainst(text('', 201, headers));
    expect(await createList(run, { name: 'A' })).toEqual(list);
  });

  it.each([200, 202])(
    'reports an unknown outcome when it is empty with status %i',
    async (status) => {
      const run = await runAgainst(text('', status));
      await expect(createFlag(run, 'acme.com', 'x')).rejects.toThrow(
        /outcome of this request is unknown/,
      );
    },
  );
});
