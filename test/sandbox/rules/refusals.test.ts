import { refusal, unlisted, useSandbox, type Reply } from '../harness';

const service = useSandbox();

const BULK = ['/v1/companies', '/v1/enrich/partnerships', '/v1/companies/refresh'];
const STRANGERS = ['/v1/partnerships/{strangers}'];
const UNKNOWN = ['{hub}/unlisted.example', 'unlisted.example/{hub}'];
const BAD_BODIES = [{}, { domains: [] }, { domains: 'a.com' }, { domains: [1] }, null];

const each = (starts: readonly string[], ends: readonly string[]) =>
  starts.flatMap((start) => ends.map((end) => start + end));
const searchFor = (...texts: string[]) =>
  texts.map((text) => `/v1/technologies?q=${encodeURIComponent(text)}`);
const usersOf = (names: string) =>
  names.split(' ').map((name) => `/v1/technologies/${name}/companies`);
const vendors = (names: string) => names.split(' ').map((name) => `/v1/vendors/${name}/companies`);
const pairs = each(['/v1/partnerships/'], UNKNOWN);

/** Paths by rule and response: a status, or a status and code. */
const GETS: Readonly<Record<string, string[]>> = {
  'Technologies 1: 404 technology_not_found': usersOf('no-such-key'),
  'Technologies 1: 400 invalid_tech_key': usersOf('Shopify a_b a%20b a.b'),
  'Technologies 2: 404 vendor_not_found': vendors('www.hubspot.com hubspot.de spot.com'),
  'Technologies 2: 400 invalid_domain': vendors(
    `hubspot not%20a.domain -x.com ${'a'.repeat(64)}.com`,
  ),
  'Companies 1: 404 company_not_found': ['/v1/companies/no-such-company'],
  'Companies 5: 400': ['/v1/companies?sort=size', '/v1/companies?include=technologies'],
  'Partnerships 2: 404 partner_not_found': ['/v1/partnerships/unlisted.example/companies'],
  'Partnerships 3: 404 partnership_not_found': each(STRANGERS, ['', '/shared-partners']),
  'Partnerships 3: 404 company_not_found': each(pairs, ['', '/shared-partners', '/graph']),
  'Conventions 4: 400': ['/v1/companies?page=0'],
  'Versioning 1: 404': ['/companies/{hub}', '/v2/companies/{hub}'],
  // endpoints.test.ts compares the bounds and defaults of every endpoint.
  'Bounds lists: 400': each(['/v1/companies?limit='], ['0', '101', '1.5']),
  'Bounds technology search: 200': searchFor('x'.repeat(200), '😀'.repeat(200)),
  'Bounds technology search: 400': searchFor('', 'x'.repeat(201), '😀'.repeat(201)),
  'Bounds technology search without q: 400': ['/v1/technologies'],
};

/** Paths by rule and response, with the bodies that are sent to each. */
const POSTS: Readonly<Record<string, [paths: string[], ...bodies: unknown[]]>> = {
  'Bounds bulk and enrichment: 400': [BULK, ...BAD_BODIES],
  'Bounds refresh: 202': [BULK.slice(2), { domains: unlisted(100) }],
  'Enrichment 3: 200': [BULK.slice(1, 2), { domains: unlisted(100) }],
  'Enrichment 3: 400 batch_too_large': [BULK, { domains: unlisted(101) }],
};

test.each(Object.entries(GETS))('%s', async (title, paths) => {
  const names = {
    hub: service.hub().primaryDomain,
    pair: service.pairPath(),
    strangers: service.pairPath(false),
  };
  for (const path of paths) {
    const full = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof names) => names[name]);
    expectResponse(title, full, await service.get(full));
  }
});

test.each(Object.entries(POSTS))('%s', async (title, [paths, ...bodies]) => {
  for (const path of paths) {
    for (const body of bodies) expectResponse(title, path, await service.post(path, body));
  }
});

function expectResponse(title: string, path: string, reply: Reply): void {
  const [, status, code] = / (\d+)(?: (\w+))?$/.exec(title)!;
  expect([path, String(reply.status)]).toEqual([path, status]);
  if (code !== undefined) expect(refusal(reply).error).toBe(code);
}
