import { enrichmentResponse } from '../../../sandbox/schemas/enrichment';
import { ok, useSandbox } from '../harness';

const service = useSandbox();
const enriched = async (domains: string[]) =>
  ok(await service.post('/v1/enrich/partnerships', { domains }), enrichmentResponse);

test('Enrichment 1: domains are normalized, and entries that are no domain are dropped', async () => {
  const domain = service.hub().primaryDomain;
  const longest = `${'a'.repeat(249)}.com`;
  const spellings = [` ${domain.toUpperCase()} `, `www.${domain}`, domain, `WWW.${domain}`];
  const body = await enriched([...spellings, 'localhost', '', `a${longest}`, longest]);
  expect(longest).toHaveLength(253);
  expect(body.results.map((result) => result.domain)).toEqual([domain, longest]);
  expect(body).toMatchObject({ total_domains_requested: 2, domains_found: 1 });
});

test('Fields Enrichment: results have the status found, no_partnerships or not_tracked', async () => {
  const found = service.hub();
  const lonely = service.companies((_, partners) => partners === 0)[0]!;
  const { size } = service.partnersOf(found);
  const { results, ...totals } = await enriched([
    ...[found.primaryDomain, lonely.primaryDomain, 'unlisted.example'],
  ]);
  const none = { partnerships: [], partnership_count: 0 };
  expect(results).toEqual([
    {
      domain: found.primaryDomain,
      status: 'found',
      company_id: found.id,
      company_name: found.name,
      slug: found.slug,
      partnership_count: size,
      partnerships: Array<unknown>(size).fill(expect.anything()),
    },
    {
      domain: lonely.primaryDomain,
      status: 'no_partnerships',
      company_id: lonely.id,
      company_name: lonely.name,
      slug: lonely.slug,
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
  expect(totals).toEqual({
    total_domains_requested: 3,
    domains_found: 2,
    domains_with_partnerships: 1,
  });
});
