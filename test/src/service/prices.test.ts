/** Tests that API Request counts the same cost as the operation for the same endpoint. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import nock from 'nock';

import { sendAnyRequest } from '../../../src/service/any-request';
import { readEndpointObject, readEndpointPages } from '../../../src/service/read';
import { lookUpAllCompanies } from '../../../src/service/companies';
import {
  createEmptyQuery,
  type EndpointArguments,
  type ListEndpoint,
  type ObjectEndpoint,
} from '../../../src/service/endpoint';
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
import { mockTheNetwork } from '../client/support/mocked-service';
import { QUICK } from '../client/support/timing';

const BASE = 'https://api.service.test';

mockTheNetwork();
afterEach(() => {
  nock.cleanAll();
});

/** An endpoint, and a request to it for a number of companies or nodes. */
interface Endpoint {
  readonly path: string;
  readonly request: (count: number) => Partial<RawRequest>;
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

/** Describes an endpoint of rows, which is read in pages. */
const list = (
  path: string,
  read: (run: Run, wanted: number) => AsyncIterable<unknown>,
  answer: Endpoint['answer'] = page,
): Endpoint => ({
  path,
  request: limit,
  answer,
  typed: async (run, wanted) => {
    await all(read(run, wanted));
  },
});

/** Describes an endpoint whose rows come in pages of the API spec. */
const paged = <E extends ListEndpoint>(path: string, endpoint: E, query: EndpointArguments<E>) =>
  list(path, (run, wanted) => readEndpointPages(run, endpoint, query, { wanted }));

/** Describes an endpoint that returns one object. */
const object = <E extends ObjectEndpoint>(
  path: string,
  endpoint: E,
  query: (count: number) => EndpointArguments<E>,
  { request = nothing, answer }: Pick<Endpoint, 'answer'> & Partial<Endpoint>,
): Endpoint => ({
  path,
  request,
  answer,
  typed: async (run, count) => await readEndpointObject(run, endpoint, query(count)),
});

const include = undefined;

const ENDPOINTS: readonly Endpoint[] = [
  object('companies/a.com', api.company, () => ({ identifier: 'a.com', include }), {
    answer: () => ({ name: 'A', slug: 'a', domains: ['a.com', 'b.com', 'c.com'] }),
  }),
  paged('companies', api.companies, createEmptyQuery(api.companies)),
  paged('technologies/hubspot/companies', api.technologyUsers, { tech_key: 'hubspot', include }),
  paged('vendors/hubspot.com/companies', api.vendorUsers, { domain: 'hubspot.com', include }),
  paged('companies/a.com/partnerships', api.partners, {
    ...createEmptyQuery(api.partners),
    identifier: 'a.com',
  }),
  paged('partnerships/a.com/companies', api.reversePartners, { partner_domain: 'a.com', include }),
  paged('partnerships/a.com/b.com/shared-partners', api.sharedPartners, PAIR),
  object('partnerships/a.com/b.com', api.partnership, () => PAIR, {
    answer: () => ({ ...partnership, attributions: rows(9) }),
  }),
  object(
    'companies/a.com/partnerships/graph',
    api.companyGraph,
    (max_nodes) => ({ identifier: 'a.com', depth: 1, max_nodes }),
    { request: nodes, answer: graph },
  ),
  object('partnerships/a.com/b.com/graph', api.pairGraph, (max_nodes) => ({ ...PAIR, max_nodes }), {
    request: nodes,
    answer: graph,
  }),
  {
    path: 'companies',
    request: batch,
    answer: page,
    typed: async (run, count) =>
      await lookUpAllCompanies(run, domains(count), ['partnerships'], 100),
    costsOpen: true,
  },
  {
    path: 'enrich/partnerships',
    request: batch,
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

const requestOf = ({ path, request }: Endpoint, count: number): RawRequest => ({
  method: 'GET',
  path: `/v1/${path}`,
  query: {},
  body: undefined,
  ...request(count),
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
  ENDPOINTS.map((one) => [`${one.request(1).method ?? 'GET'} ${one.path}`, one] as const),
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

const paths = new Set(Object.values(api).map(({ path }) => path.replace(/\{\w+\}/g, 'a')));

/** Returns the maximum cost of a large request, and the cost of an empty response. */
const costsOf = async (path: string) => {
  const query = { limit: ['3'], max_nodes: ['5'] };
  const body = { domains: domains(7) };
  const request = { method: 'POST', path, query, body } as const;
  return [await getMaxCredits(request, runWith()), countCredits(request, {})];
};

it.each([...paths])('an endpoint has another price than an unknown path: %s', async (path) => {
  expect(await costsOf(path)).not.toEqual(await costsOf('/v1/what/nobody/knows'));
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
