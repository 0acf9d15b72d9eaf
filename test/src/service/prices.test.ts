/** Tests that API Request counts the same cost as the operation for the same endpoint. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import nock from 'nock';

import { sendAnyRequest } from '../../../src/service/any-request';
import { readEndpointObject, readEndpointPages } from '../../../src/service/read';
import { lookUpAllCompanies } from '../../../src/service/companies';
import { createEmptyQuery } from '../../../src/service/endpoint';
import { api, countEnrichmentCredits } from '../../../src/service/endpoints';
import { enrichPartnerships } from '../../../src/service/enrichment';
import { exportMembers } from '../../../src/service/lists/export';
import { readMemberPages } from '../../../src/service/lists/members';
import { getMaxCredits, countCredits, type RawRequest } from '../../../src/service/prices';
import { Client } from '../../../src/client/client';
import { NotAttemptedError } from '../../../src/client/errors';
import { CreditBudget } from '../../../src/run/credit-budget';
import { Run } from '../../../src/run/run';
import { settingsFor } from '../client/support/client';
import { mockTheNetwork } from '../client/support/mocked-network';
import { QUICK } from '../client/support/timing';

const BASE = 'https://api.service.test';

mockTheNetwork();
afterEach(() => {
  nock.cleanAll();
});

/** An endpoint, and a request to it for a number of companies or nodes. */
interface Endpoint {
  readonly path: string;
  readonly asked: (count: number) => Partial<RawRequest>;
  readonly answer: (count: number) => unknown;
  readonly typed: (run: Run, count: number) => Promise<unknown>;
  /** The response may hold any number of partners, and each of them costs. */
  readonly costsOpen?: true;
}

const domains = (count: number) => rows(count).map(({ domain }) => domain);
const rows = (count: number) =>
  Array.from({ length: count }, (_one, index) => ({
    id: index,
    slug: `c${String(index)}`,
    domain: `c${String(index)}.com`,
    status: index % 3 === 0 ? 'not_tracked' : 'tracked',
    partnerships: Array.from({ length: index % 4 }, () => ({ partner_name: 'P' })),
  }));
const page = (count: number) => ({ data: rows(count), pagination: { has_next: false } });
const all = async (pages: AsyncIterable<unknown>) => {
  for await (const one of pages) expect(one).toBeDefined();
};
const limit = (count: number) => ({ query: { limit: [String(count)] } });
const nodes = (count: number) => ({ query: { max_nodes: [String(count)] } });
const graph = (count: number) => ({ nodes: rows(count), edges: [] });
const batch = (count: number) => ({ method: 'POST', body: { domains: domains(count) } }) as const;
const nothing = () => ({});
const PAIR = { identifier_a: 'a.com', identifier_b: 'b.com' };
const partnership = { company_a: {}, company_b: {}, partnership_type: 'channel' };

/** Describes an endpoint of rows, which is read in pages or in one request. */
const list = (
  path: string,
  read: (run: Run, wanted: number) => AsyncIterable<unknown> | Promise<unknown>,
  answer: Endpoint['answer'] = page,
): Endpoint => ({
  path,
  asked: limit,
  answer,
  typed: async (run, wanted) => {
    const given = read(run, wanted);
    await (Symbol.asyncIterator in given ? all(given) : given);
  },
});

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: 'companies/a.com',
    asked: nothing,
    answer: () => ({ name: 'A', slug: 'a', domains: ['a.com', 'b.com', 'c.com'] }),
    typed: async (run) =>
      await readEndpointObject(run, api.company, { identifier: 'a.com', include: undefined }),
  },
  list('companies', (run, wanted) =>
    readEndpointPages(run, api.companies, createEmptyQuery(api.companies), { wanted }),
  ),
  list('technologies/hubspot/companies', (run, wanted) =>
    readEndpointPages(
      run,
      api.technologyUsers,
      { tech_key: 'hubspot', include: undefined },
      { wanted },
    ),
  ),
  list('vendors/hubspot.com/companies', (run, wanted) =>
    readEndpointPages(
      run,
      api.vendorUsers,
      { domain: 'hubspot.com', include: undefined },
      { wanted },
    ),
  ),
  list('companies/a.com/partnerships', (run, wanted) =>
    readEndpointPages(
      run,
      api.partners,
      { ...createEmptyQuery(api.partners), identifier: 'a.com' },
      { wanted },
    ),
  ),
  list('partnerships/a.com/companies', (run, wanted) =>
    readEndpointPages(
      run,
      api.reversePartners,
      { partner_domain: 'a.com', include: undefined },
      { wanted },
    ),
  ),
  list('partnerships/a.com/b.com/shared-partners', (run, wanted) =>
    readEndpointPages(run, api.sharedPartners, PAIR, { wanted }),
  ),
  {
    path: 'partnerships/a.com/b.com',
    asked: nothing,
    answer: () => ({ ...partnership, attributions: rows(9) }),
    typed: async (run) => await readEndpointObject(run, api.partnership, PAIR),
  },
  {
    path: 'companies/a.com/partnerships/graph',
    asked: nodes,
    answer: graph,
    typed: async (run, max_nodes) =>
      await readEndpointObject(run, api.companyGraph, { identifier: 'a.com', depth: 1, max_nodes }),
  },
  {
    path: 'partnerships/a.com/b.com/graph',
    asked: nodes,
    answer: graph,
    typed: async (run, max_nodes) =>
      await readEndpointObject(run, api.pairGraph, { ...PAIR, max_nodes }),
  },
  {
    path: 'companies',
    asked: batch,
    answer: page,
    typed: async (run, count) =>
      await lookUpAllCompanies(run, domains(count), ['partnerships'], 100),
    costsOpen: true,
  },
  {
    path: 'enrich/partnerships',
    asked: batch,
    answer: (count) => ({ results: rows(count) }),
    typed: async (run, count) =>
      await run.requestBatches({
        domains: domains(count),
        request: enrichPartnerships,
        creditsOf: countEnrichmentCredits,
      }),
  },
  list(
    'lists/7/members',
    (run, wanted) => readMemberPages(run, '7', {}, { wanted }),
    (count) => ({ members: rows(count), total_count: count }),
  ),
];

const WRAPPED: ReadonlyArray<(answer: unknown) => unknown> = [
  (answer) => answer,
  (answer) => ({ data: answer }),
];

function runWith(credits?: number): Run {
  const client = Client.open(settingsFor({ baseUrl: BASE }), QUICK);
  return new Run(client, undefined, { credits: new CreditBudget(credits) });
}

const requestOf = ({ path, asked }: Endpoint, count: number): RawRequest => ({
  method: 'GET',
  path: `/v1/${path}`,
  query: {},
  body: undefined,
  ...asked(count),
});

function answering(endpoint: Endpoint, count: number, wrapped = (answer: unknown) => answer) {
  const { path, method, query } = requestOf(endpoint, count);
  nock(BASE)
    .intercept(path, method)
    .query(Object.keys(query).length === 0 ? {} : true)
    .reply(200, wrapped(endpoint.answer(count)) as nock.Body);
}

const count = fc.integer({ min: 1, max: 100 });

describe.each(
  ENDPOINTS.map((one) => [`${one.asked(1).method ?? 'GET'} ${one.path}`, one] as const),
)('%s', (_name, endpoint) => {
  it('costs the same as its operation, with or without an envelope', async () => {
    await fc.assert(
      fc.asyncProperty(count, fc.constantFrom(...WRAPPED), async (size, wrapped) => {
        const [typed, any] = [runWith(), runWith()];
        answering(endpoint, size);
        await endpoint.typed(typed, size);
        answering(endpoint, size, wrapped);
        await sendAnyRequest(any, requestOf(endpoint, size));
        expect(any.stats.creditsAtMost).toBe(typed.stats.creditsAtMost);
      }),
      { numRuns: 15 },
    );
  });

  if (endpoint.costsOpen === true) return;

  it('is not sent when it could cost more than the remaining credits', async () => {
    await fc.assert(
      fc.asyncProperty(count, async (size) => {
        const whole = runWith();
        answering(endpoint, size);
        await sendAnyRequest(whole, requestOf(endpoint, size));
        const { creditsAtMost } = whole.stats;
        fc.pre(creditsAtMost > 0);
        const few = runWith(creditsAtMost - 1);
        const sent = sendAnyRequest(few, requestOf(endpoint, size));
        await expect(sent).rejects.toBeInstanceOf(NotAttemptedError);
        expect(few.stats).toMatchObject({ requests: 0, creditsAtMost: 0 });
      }),
      { numRuns: 15 },
    );
  });
});

it.each([
  [undefined, 30],
  [30, 30],
  [29, 0],
])('with a limit of %s credits, an export of 30 members costs %i', async (credits, cost) => {
  const csv = `domain\r\n${domains(30).join('\r\n')}\r\n`;
  const path = '/v1/lists/7/export.csv';
  const request = { method: 'GET', path, query: {}, body: undefined } as const;
  for (const send of [
    async (run: Run) => await sendAnyRequest(run, request),
    async (run: Run) => {
      await all((await exportMembers(run, '7')).body);
    },
  ]) {
    nock.cleanAll();
    nock(BASE).post('/v1/lists/7/materialize').reply(200, { total_count: 30 });
    nock(BASE).get(path).reply(200, csv, { 'content-type': 'text/csv' });
    const run = runWith(credits);
    if (cost === 0) await expect(send(run)).rejects.toBeInstanceOf(NotAttemptedError);
    else await send(run);
    expect(run.stats.creditsAtMost).toBe(cost);
  }
});

it.each([undefined, 'a.com', { domains: 'a.com' }, { companies: ['a.com'] }, [null]])(
  'counts the credits of a batch without a list of domains (%j) from its response',
  async (body) => {
    nock(BASE)
      .post('/v1/enrich/partnerships')
      .reply(200, { results: rows(2) });
    const run = runWith(100);
    const request = { method: 'POST', path: '/v1/enrich/partnerships', query: {}, body };
    const { answer } = await sendAnyRequest(run, request as RawRequest);
    expect(answer).toMatchObject({ results: rows(2) });
    expect(run.stats.creditsAtMost).toBe(1);
  },
);

describe('the price of an endpoint', () => {
  const paths = new Set(Object.values(api).map(({ path }) => path.replace(/\{\w+\}/g, 'a')));

  /** Returns the maximum cost of a large request, and the cost of an empty response. */
  const costsOf = async (path: string) => {
    const query = { limit: ['3'], max_nodes: ['5'] };
    const body = { domains: domains(7) };
    const asked = { method: 'POST', path, query, body } as const;
    return [await getMaxCredits(asked, runWith()), countCredits(asked, {})];
  };

  it.each([...paths])('differs from the price of an unknown path: %s', async (path) => {
    expect(await costsOf(path)).not.toEqual(await costsOf('/v1/what/nobody/knows'));
  });
});

it('finds API paths only in the table of endpoints', () => {
  const folder = join(__dirname, '../../../src');
  const others = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== join('service', 'endpoints.ts'))
    .filter((name) =>
      /['`]\/v1\/(?!open)\w/.test(withoutComments(readFileSync(join(folder, name), 'utf8'))),
    );
  expect(others).toEqual([]);
});

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
