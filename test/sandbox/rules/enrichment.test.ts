import type { KeyName } from '../../../sandbox';
import { enrichmentResponse } from '../../../sandbox/schemas/enrichment';
import { ok, refusal, refused, unlisted, useSandbox } from '../harness';

const service = useSandbox();
const enrich = (domains: string[], key?: KeyName) =>
  service.post('/v1/enrich/partnerships', { domains }, key);
const enriched = async (domains: string[]) => ok(await enrich(domains), enrichmentResponse);

test('Enrichment 1: domains are lowercased, trimmed, stripped of www. and deduplicated', async () => {
  const domain = service.hub().primaryDomain;
  const spellings = [` ${domain.toUpperCase()} `, `www.${domain}`, domain, `WWW.${domain}`];
  const body = await enriched(spellings);
  expect(body.results.map((result) => result.domain)).toEqual([domain]);
  expect(body).toMatchObject({ total_domains_requested: 1, domains_found: 1 });
});

test('Enrichment 1: entries without a dot or longer than 253 characters are dropped silently', async () => {
  const longest = `${'a'.repeat(249)}.com`;
  const body = await enriched(['localhost', '', `a${longest}`, longest, 'unlisted.example']);
  expect(longest).toHaveLength(253);
  expect(body.results.map((result) => result.domain)).toEqual([longest, 'unlisted.example']);
});

test('Enrichment 2: returns one result per requested domain, in request order', async () => {
  const tracked = service.companies(() => true).slice(0, 60);
  const domains = tracked.flatMap((one, index) =>
    index % 2 === 0 ? [one.primaryDomain] : [`unlisted-${index}.example`],
  );
  const body = await enriched([...domains].reverse());
  expect(body.results.map((result) => result.domain)).toEqual([...domains].reverse());
});

test('Fields Enrichment: results have the status found, no_partnerships or not_tracked', async () => {
  const found = service.hub();
  const lonely = service.companies((_, partners) => partners === 0)[0]!;
  const body = await enriched([found.primaryDomain, lonely.primaryDomain, 'unlisted.example']);
  expect(body.results[0]).toMatchObject({
    status: 'found',
    company_id: found.id,
    company_name: found.name,
    partnership_count: body.results[0]!.partnerships.length,
  });
  expect(body.results[1]).toMatchObject({
    status: 'no_partnerships',
    company_id: lonely.id,
    partnerships: [],
    partnership_count: 0,
  });
  expect(body.results[2]).toEqual({
    domain: 'unlisted.example',
    status: 'not_tracked',
    company_name: null,
    company_id: null,
    slug: null,
    partnerships: [],
    partnership_count: 0,
  });
  expect(body).toMatchObject({
    total_domains_requested: 3,
    domains_found: 2,
    domains_with_partnerships: 1,
  });
  expect(body.results[0]!.partnerships[0]).toMatchObject({ category: null, description: null });
});

test('Enrichment 3: returns 400 batch_too_large for more than 100 domains', async () => {
  expect(refused(await enrich(unlisted(101)))).toBe('400 batch_too_large');
  expect((await enrich(unlisted(100))).status).toBe(200);
  expect((await enrich([])).status).toBe(400);
  expect((await service.post('/v1/enrich/partnerships', {})).status).toBe(400);
});

test('Enrichment 4: returns 402 without partial results or charge when credits do not suffice', async () => {
  service.sandbox.setKey('nearlyOut', { credits: 5 });
  const domains = service
    .companies(() => true)
    .slice(0, 8)
    .map((one) => one.primaryDomain);
  const reply = await enrich(domains, 'nearlyOut');
  expect(refusal(reply)).toEqual({
    status: 402,
    error: 'credit_exhausted',
    message: expect.any(String) as string,
    requested: 8,
    shortfall: 3,
  });
  expect(service.sandbox.credits('nearlyOut')).toBe(5);
  expect((await enrich(domains.slice(0, 5), 'nearlyOut')).status).toBe(200);
  expect(service.sandbox.credits('nearlyOut')).toBe(0);
});
