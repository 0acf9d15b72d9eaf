/** What a model learns from a tool response. */
import { byId } from '../shared/nodes';
import { connectedPairs, hubs } from '../shared/partners';
import { trackedDomains, useFreshSandbox, useSandbox } from '../shared/service';
import { callTool, given, noteIn, resultsIn } from './tool';

const PARTNERS = { operation: 'getPartners', identifier: given('company') };
const ENRICH = { operation: 'enrichCompanies', domain: given('domain') };

describe('a row of a tool response', () => {
  const sandbox = useSandbox();

  it.each([
    ['Get Partners', 'partnerGraph', PARTNERS, 'domain'],
    [
      'Get Reverse Partners',
      'partnerGraph',
      { operation: 'getReversePartners', partnerDomain: given('company') },
      'partner_domain',
    ],
    [
      'Get Users by Vendor',
      'techUsers',
      { operation: 'getByVendor', vendorDomain: given('company') },
      'vendor_domain',
    ],
  ])(
    'names its company in %s when several are requested, even with Selected Fields',
    async (_title, type, parameters, field) => {
      const [a = '', b = ''] = type === 'techUsers' ? ['google.com', 'adobe.com'] : hubs(sandbox);
      for (const selectedFields of [undefined, '', 'slug, partner_slug']) {
        const selected = selectedFields === undefined ? {} : { selectedFields };
        const answer = await callTool(
          sandbox,
          type,
          { ...parameters, limit: 3, ...selected },
          { company: `${a}, ${b}` },
        );
        expect(resultsIn(answer).map((row) => row[field])).toEqual([a, a, a, b, b, b]);
      }
    },
  );

  it('names both companies in Get Shared Partners when several pairs are requested', async () => {
    const [first, second] = connectedPairs(sandbox);
    const parameters = {
      operation: 'getSharedPartners',
      identifierA: given('a'),
      identifierB: given('b'),
      limit: 2,
    };
    const answer = await callTool(sandbox, 'partnerGraph', parameters, {
      a: `${String(first?.a)}, ${String(second?.a)}`,
      b: String(first?.b),
    });
    const rows = resultsIn(answer);
    expect(new Set(rows.map((row) => row['domain_a']))).toEqual(new Set([first?.a, second?.a]));
    expect(new Set(rows.map((row) => row['domain_b']))).toEqual(new Set([first?.b]));
  });

  it('names its company when the lookup failed', async () => {
    const answer = await callTool(
      sandbox,
      'companyLookup',
      { operation: 'get', identifier: given('company') },
      { company: `${trackedDomains(sandbox, 1).join()}, nobody-tracks-this.com` },
    );
    expect(resultsIn(answer)[1]).toMatchObject({
      domain: 'nobody-tracks-this.com',
      error: { code: 'company_not_found' },
    });
  });

  it('omits the company when only one is requested', async () => {
    const answer = await callTool(sandbox, 'partnerGraph', PARTNERS, { company: hubs(sandbox)[0] });
    expect(resultsIn(answer)[0]).not.toHaveProperty('domain');
  });
});

describe('the note of a tool response', () => {
  // Each test needs a new service: a company that was read before is free, and the note says so.
  const sandbox = useFreshSandbox();

  it('states the total, the cost and the next Offset when there are more rows', async () => {
    const parameters = { operation: 'getByTechnology', techKey: byId(given('key')) };
    const fixed = await callTool(sandbox, 'techUsers', parameters, { key: 'hubspot' });
    expect(noteIn(fixed)).toMatch(
      /^50 of [\d,]+ rows\. Cost: up to 50 credits\. More rows start at Offset 50\.$/,
    );
    const own = { ...parameters, limit: 5, options: { offset: given('offset') } };
    const next = await callTool(sandbox, 'techUsers', own, { key: 'hubspot', offset: 10 });
    expect(noteIn(next)).toMatch(/^5 of [\d,]+ rows\. Cost: .* For more, set Offset to 15\.$/);
    expect(resultsIn(next)).toHaveLength(5);
  });

  it('states only the cost of a lookup, and of Count Only', async () => {
    const domain = trackedDomains(sandbox, 2).join();
    expect(noteIn(await callTool(sandbox, 'bulkEnrich', ENRICH, { domain }))).toBe(
      'Cost: up to 2 credits.',
    );
    const count = { ...PARTNERS, countOnly: true };
    expect(
      noteIn(await callTool(sandbox, 'partnerGraph', count, { company: hubs(sandbox)[0] })),
    ).toBe('Cost: up to 1 credit.');
  });

  it('is missing when nothing was omitted, spent or limited', async () => {
    const search = { operation: 'searchTechnologies', q: given('q') };
    expect(noteIn(await callTool(sandbox, 'techUsers', search, { q: 'hubspot' }))).toBeUndefined();
    const lists = { resource: 'list', operation: 'getMany' };
    expect(noteIn(await callTool(sandbox, 'companyList', lists))).toBeUndefined();
    const answer = await callTool(sandbox, 'bulkEnrich', ENRICH, { domain: 'none' });
    expect(answer).toMatchObject([{ status: 'invalid' }]);
  });

  it('says so when nothing matches, in total or for one of several companies', async () => {
    const search = { operation: 'searchTechnologies', q: given('q') };
    expect(await callTool(sandbox, 'techUsers', search, { q: 'zzzz' })).toEqual([
      { note: 'No results: nothing matches.' },
    ]);
    const { companies, partnershipsOf } = sandbox.world;
    const alone = companies.find((_one, at) => (partnershipsOf[at] ?? []).length === 0);
    const answer = await callTool(sandbox, 'partnerGraph', PARTNERS, {
      company: `${String(hubs(sandbox)[0])}, ${String(alone?.primaryDomain)}`,
    });
    expect(noteIn(answer)).toContain(`No results for ${String(alone?.primaryDomain)}.`);
  });

  it('subtracts companies that this n8n has read before from the cost', async () => {
    const [domain = ''] = trackedDomains(sandbox, 1);
    await callTool(sandbox, 'bulkEnrich', ENRICH, { domain });
    expect(noteIn(await callTool(sandbox, 'bulkEnrich', ENRICH, { domain }))).toBe(
      'Cost: up to 1 credit, minus 1 for companies this n8n read in the last 30 days.',
    );
  });
});
