/** Requests that the service refuses, and those just within its bounds. */
import { refusal, unlisted, useSandbox } from '../harness';

const service = useSandbox();

const LISTS = [
  '/v1/companies?',
  '/v1/companies/{hub}/partnerships?',
  '/v1/partnerships/{hub}/companies?',
  '/v1/partnerships/{pair}/shared-partners?',
  '/v1/technologies?q=a&',
];
const LONG_LISTS = ['/v1/technologies/shopify/companies', '/v1/vendors/google.com/companies'];
const GRAPHS = ['/v1/companies/{hub}/partnerships/graph', '/v1/partnerships/{pair}/graph'];
const BULK = ['/v1/companies', '/v1/enrich/partnerships', '/v1/companies/refresh'];
const WITH_UNKNOWN = ['{hub}/unlisted.example', 'unlisted.example/{hub}'];

const each = (starts: readonly string[], ends: readonly string[]) =>
  starts.flatMap((start) => ends.map((end) => start + end));
const searchFor = (texts: readonly string[]) =>
  texts.map((text) => `/v1/technologies?q=${encodeURIComponent(text)}`);
const companiesAt = (start: string, names: readonly string[]) =>
  names.map((name) => `${start}/${name}/companies`);

/** Rules with a status, or a status and code, and the paths and bodies of the requests. */
const CASES: Array<[rule: string, expected: string, paths: string[], bodies?: unknown[]]> = [
  ['Technologies 1', '404 technology_not_found', companiesAt('/v1/technologies', ['no-such-key'])],
  [
    'Technologies 1',
    '400 invalid_tech_key',
    companiesAt('/v1/technologies', ['Shopify', 'a_b', 'a%20b', 'a.b']),
  ],
  [
    'Technologies 2',
    '404 vendor_not_found',
    companiesAt('/v1/vendors', ['www.hubspot.com', 'hubspot.de', 'spot.com']),
  ],
  [
    'Technologies 2',
    '400 invalid_domain',
    companiesAt('/v1/vendors', ['hubspot', 'not%20a.domain', '-x.com', `${'a'.repeat(64)}.com`]),
  ],
  ['Companies 5', '400', ['/v1/companies?sort=size', '/v1/companies?include=technologies']],
  ['Partnerships 2', '404 partner_not_found', ['/v1/partnerships/unlisted.example/companies']],
  [
    'Partnerships 3',
    '404 partnership_not_found',
    each(['/v1/partnerships/{strangers}'], ['', '/shared-partners']),
  ],
  [
    'Partnerships 3',
    '404 company_not_found',
    each(each(['/v1/partnerships/'], WITH_UNKNOWN), ['', '/shared-partners', '/graph']),
  ],
  ['Conventions 4', '400', ['/v1/companies?page=0']],
  ['Versioning 1', '404', ['/companies/{hub}', '/v2/companies/{hub}']],
  ['Bounds lists', '200', each(LISTS, ['limit=100'])],
  ['Bounds lists', '400', each(LISTS, ['limit=101', 'limit=0', 'limit=1.5'])],
  ['Bounds technology and vendor company lists', '200', each(LONG_LISTS, ['?limit=10000'])],
  ['Bounds technology and vendor company lists', '400', each(LONG_LISTS, ['?limit=10001'])],
  ['Bounds technology search', '200', searchFor(['x'.repeat(200), '😀'.repeat(200)])],
  [
    'Bounds technology search',
    '400',
    ['/v1/technologies', ...searchFor(['', 'x'.repeat(201), '😀'.repeat(201)])],
  ],
  ['Bounds graph', '200', each(GRAPHS, ['?max_nodes=1', '?max_nodes=100'])],
  [
    'Bounds graph',
    '400',
    [
      ...each(GRAPHS, ['?max_nodes=0', '?max_nodes=101', '?max_nodes=x']),
      ...each(GRAPHS.slice(0, 1), ['?depth=0', '?depth=3']),
    ],
  ],
  [
    'Bounds bulk and enrichment',
    '400',
    BULK,
    [{}, { domains: [] }, { domains: 'a.com' }, { domains: [1] }, null],
  ],
  ['Bounds refresh', '202', ['/v1/companies/refresh'], [{ domains: unlisted(100) }]],
  ['Enrichment 3', '200', ['/v1/enrich/partnerships'], [{ domains: unlisted(100) }]],
  ['Enrichment 3', '400 batch_too_large', BULK, [{ domains: unlisted(101) }]],
];

test.each(CASES)('%s: responds with %s', async (_rule, expected, paths, bodies) => {
  const names = {
    hub: service.hub().primaryDomain,
    pair: service.pairPath(),
    strangers: service.pairPath(false),
  };
  for (const path of paths) {
    const full = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof names) => names[name]);
    for (const body of bodies ?? [undefined]) {
      const reply = await (bodies === undefined ? service.get(full) : service.post(full, body));
      const code = expected.includes(' ') ? ` ${String(refusal(reply).error)}` : '';
      expect([full, body, `${String(reply.status)}${code}`]).toEqual([full, body, expected]);
    }
  }
});
