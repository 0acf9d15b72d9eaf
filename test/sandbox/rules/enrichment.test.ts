import type { KeyName } from '../../../sandbox';
import { enrichmentResponse } from '../../../sandbox/schemas/enrichment';
import { ok, refused, useSandbox } from '../harness';

const service = useSandbox();
const enrich = (domains: string[], key?: KeyName) =>
  service.post('/v1/enrich/partnerships', { domains }, key);
const enriched = async (domains: string[]) => ok(await enrich(domains), enrichmentResponse);

test('Enrichment 1: domains are normalized, and entries that are no domain are dropped', async () => {
  const domain = service.hub().primaryDomain;
  const longest = `${'a'.repeat(249)}.com`;
  const spellings = [` ${domain.toUpperCase()} `, `www.${domain}`, domain, `WWW.${domain}`];
  const body = await enriched([...spellings, 'localhost', '', `a${longest}`, longest]);
  expect(longest).toHaveLength(253);
  expect(body.results.map((result) => result.domain)).toEqual([domain, longest]);
  expect(body).toMatchObject({ total_domains_requested: 2, domains_found: 1 });
});

test('Enrichment 2: returns one result per requested domain, in request order', async () => {
  const domains = service.companies(({ id }) => id < 60).map(({ primaryDomain }) => primaryDomain);
  const wanted = domains.flatMap((domain, index) => [domain, `unlisted-${index}.example`]);
  wanted.length = 100;
  const body = await enriched(wanted.toReversed());
  expect(body.results.map((result) => result.domain)).toEqual(wanted.toReversed());
});

test('Fields Enrichment: results have the status found, no_partnerships or not_tracked', async () => {
  const found = service.hub();
  const lonely = service.companies((_, partners) => partners === 0)[0]!;
  const body = await enriched([found.primaryDomain, lonely.primaryDomain, 'unlisted.example']);
  const [first, ...others] = body.results;
  expect(first).toMatchObject({
    status: 'found',
    company_id: found.id,
    company_name: found.name,
    partnership_count: service.partnersOf(found).size,
  });
  expect(first!.partnerships).toHaveLength(first!.partnership_count);
  const none = { partnerships: [], partnership_count: 0 };
  const { name: company_name, id: company_id, slug } = lonely;
  expect(others).toEqual([
    {
      domain: lonely.primaryDomain,
      status: 'no_partnerships',
      company_name,
      company_id,
      slug,
      ...none,
    },
    {
      domain: 'unlisted.example',
      status: 'not_tracked',
      company_name: null,
      company_id: null,
      slug: null,
      ...none,
    },
  ]);
  expect(body).toMatchObject({
    total_domains_requested: 3,
    domains_found: 2,
    domains_with_partnerships: 1,
  });
});

test('Enrichment 4: returns 402 without partial results or charge when credits do not suffice', async () => {
  service.sandbox.setKey('nearlyOut', { credits: 5 });
  const domains = service.companies(({ id }) => id <= 8).map((one) => one.primaryDomain);
  expect(refused(await enrich(domains, 'nearlyOut'))).toBe('402 credit_exhausted');
  expect(service.sandbox.credits('nearlyOut')).toBe(5);
  expect((await enrich(domains.slice(0, 5), 'nearlyOut')).status).toBe(200);
});
