/**
 * Tests the schemas of the table of endpoints with a response of the local service for each endpoint,
 * as it is and with a value of a wrong type.
 */
import fc from 'fast-check';
import { refreshAccepted } from '../../sandbox/schemas/companies';
import { permission } from '../../sandbox/schemas/lists';
import { InvalidResponseError } from '../../src/client/errors';
import { ResponseChecks } from '../../src/run/responses/response-checks';
import { schemas } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import { createList, ok, SOFTWARE, useSandbox, type Reply } from './harness';

const service = useSandbox();

type Name = keyof typeof api;

async function readExamples(): Promise<ReadonlyMap<Name, unknown>> {
  const { get, post, put, patch, remove } = service;
  const { primaryDomain: domain } = service.hub();
  const domains = [domain, 'unlisted.example', 'no dot'];
  const include = 'include=firmographics';
  const pair = `/v1/partnerships/${service.pairPath()}`;
  const list = `/v1/lists/${await createList(service, SOFTWARE)}`;
  const toDelete = `/v1/lists/${await createList(service)}`;
  const toAll = await post(`${list}/permissions`, { access_level: 'viewer', org_wide: true });
  const refresh = await post('/v1/companies/refresh', { domains: [domain] });
  const { job_id: job } = ok(refresh, refreshAccepted, 202);
  const sections = ['technologies', 'partnerships', 'firmographics'];
  const requests: Record<Name, () => Reply | Promise<Reply>> = {
    company: () => get(`/v1/companies/${domain}?include=technologies,firmographics`),
    bulkLookup: () => post('/v1/companies', { domains, include: sections }),
    refresh: () => refresh,
    job: () => get(`/v1/jobs/${job}`),
    companies: () => get(`/v1/companies?${include}`),
    flag: () => post(`/v1/companies/${domain}/flags`, {}),
    technologies: () => get('/v1/technologies?q=a'),
    technologyUsers: () => get(`/v1/technologies/shopify/companies?${include}`),
    vendorUsers: () => get(`/v1/vendors/google.com/companies?${include}`),
    partners: () => get(`/v1/companies/${domain}/partnerships`),
    reversePartners: () => get(`/v1/partnerships/${domain}/companies?${include}`),
    partnership: () => get(pair),
    sharedPartners: () => get(`${pair}/shared-partners`),
    companyGraph: () => get(`/v1/companies/${domain}/partnerships/graph`),
    pairGraph: () => get(`${pair}/graph`),
    enrichment: () => post('/v1/enrich/partnerships', { domains }),
    createList: () => post('/v1/lists', { name: 'Another' }),
    lists: () => get('/v1/lists'),
    list: () => get(list),
    renameList: () => patch(list, { name: 'Renamed' }),
    deleteList: () => remove(toDelete),
    filterFields: () => get('/v1/lists/filter-fields'),
    previewCount: () => post('/v1/lists/preview-count', SOFTWARE),
    definition: () => get(`${list}/definition`),
    replaceDefinition: () => put(`${list}/definition`, SOFTWARE),
    members: () => get(`${list}/members`),
    materialize: () => post(`${list}/materialize`),
    exportMembers: () => get(`${list}/export.csv`),
    addDomains: () => post(`${list}/domains`, { domains }),
    removeDomain: () => remove(`${list}/domains/${domain}`),
    permissions: () => get(`${list}/permissions`),
    grantAccess: () => toAll,
    revokeAccess: () =>
      remove(`${list}/permissions/${String(ok(toAll, permission, 201).permission_id)}`),
    transferOwnership: () => post(`${list}/owner`, { user_id: 'user-colleague' }),
  };
  const examples = new Map<Name, unknown>();
  // One after the other: a request can depend on the changes of those before it.
  for (const [name, request] of Object.entries(requests) as Array<[Name, () => Promise<Reply>]>) {
    const { status, text } = await request();
    if (status >= 300) throw new Error(`${name}: ${text}`);
    const isJson = text !== '' && name !== 'exportMembers';
    examples.set(name, isJson ? JSON.parse(text) : text);
  }
  return examples;
}

function check(name: Name, response: unknown) {
  const checks = new ResponseChecks();
  checks.check(schemas()[api[name].response], response);
  return checks.mismatches;
}

test('accepts a response of each endpoint of the local service', async () => {
  const examples = await readExamples();

  expect([...examples.keys()]).toEqual(Object.keys(api));
  for (const [name, response] of examples)
    expect([name, check(name, response)]).toEqual([name, undefined]);
});

const UNREAD = ['has_prev', 'next_url', 'category', 'description'];

test('has each field of each response in its schema, which leaves out others', async () => {
  for (const [name, response] of await readExamples()) {
    const sent = JSON.parse(JSON.stringify(response), (field, value: unknown) =>
      UNREAD.includes(field) ? undefined : value,
    ) as unknown;
    expect([name, schemas()[api[name].response].parse(sent)]).toEqual([name, sent]);
  }
});

const REFUSED: unknown[] = [null, [], 'x', { name: 'ValidationError', statusCode: 400 }];

test.each<Name>([
  ...(['company', 'job', 'flag', 'partnership', 'companyGraph', 'pairGraph'] as const),
  ...(['previewCount', 'materialize'] as const),
])('refuses what is no response of the endpoint %s', (name) => {
  for (const body of REFUSED) expect(() => check(name, body)).toThrow(InvalidResponseError);
});

const ROWS = {
  companies: 'data',
  bulkLookup: 'data',
  technologyUsers: 'data',
  vendorUsers: 'data',
  partners: 'data',
  reversePartners: 'data',
  sharedPartners: 'data',
  enrichment: 'results',
} as const satisfies Partial<Record<Name, string>>;

test('counts a field of a wrong type and keeps it as it came', async () => {
  const examples = await readExamples();
  const names = Object.keys(ROWS) as Array<keyof typeof ROWS>;
  const wrongValue = fc.constantFrom<unknown>(7, 'x', true, [], { a: 1 });
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.nat(),
      fc.nat(),
      wrongValue,
      (name, at, of, wrong) => {
        const response = structuredClone(examples.get(name)) as Record<string, unknown>;
        const rows = response[ROWS[name]] as Array<Record<string, unknown>>;
        const row = rows[at % rows.length]!;
        const fields = Object.keys(row).filter(
          (field) => row[field] !== null && typeNameOf(row[field]) !== typeNameOf(wrong),
        );
        const field = fields[of % fields.length]!;
        // An ID can be a number or text.
        fc.pre(field !== 'company_id' || typeof wrong === 'object' || wrong === true);
        row[field] = wrong;
        const before = structuredClone(response);

        expect(check(name, response)).toEqual({
          field: `${ROWS[name]}.*.${field}`,
          problem: expect.stringContaining('instead of'),
          count: 1,
        });
        expect(response).toEqual(before);
      },
    ),
  );
});

function typeNameOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
