/** What a model learns from the answer of a tool. */
import { byId } from '../shared/nodes';
import { connectedPairs, hubs } from '../shared/partners';
import { trackedDomains, useFreshSandbox, useSandbox } from '../shared/service';
import { callTool, given, noteIn, resultsIn } from './tool';

const PARTNERS = { operation: 'getPartners', identifier: given('company') };

describe('whose row it is', () => {
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
    'says each of several companies in %s, also with Selected Fields',
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

  it('says each of several pairs in Get Shared Partners', async () => {
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
    for (const row of resultsIn(answer)) {
      expect(row).toMatchObject({ domain_a: expect.any(String), domain_b: first?.b });
    }
  });

  it('names the company of a failure', async () => {
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

  it('is not repeated if one company was requested', async () => {
    const answer = await callTool(sandbox, 'partnerGraph', PARTNERS, { company: hubs(sandbox)[0] });
    expect(resultsIn(answer)[0]).not.toHaveProperty('domain');
  });
});

describe('the note', () => {
  // What is read once is free, and the note says so.
  const sandbox = useFreshSandbox();

  it('says how many more there are, what it cost, and how to go on', async () => {
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

  it('says what a lookup cost', async () => {
    const domains = trackedDomains(sandbox, 2);
    const parameters = { operation: 'enrichCompanies', domain: given('domain') };
    const answer = await callTool(sandbox, 'bulkEnrich', parameters, { domain: domains.join() });
    expect(noteIn(answer)).toMatch(/^Cost: up to 2 credits\.$/);
  });

  it('is missing if nothing was left out, spent or limited', async () => {
    const search = { operation: 'searchTechnologies', q: given('q') };
    expect(noteIn(await callTool(sandbox, 'techUsers', search, { q: 'hubspot' }))).toBeUndefined();
    const lists = { resource: 'list', operation: 'getMany' };
    expect(noteIn(await callTool(sandbox, 'companyList', lists))).toBeUndefined();
    const invalid = { operation: 'enrichCompanies', domain: given('domain') };
    const answer = await callTool(sandbox, 'bulkEnrich', invalid, { domain: 'none' });
    expect(answer).toEqual([expect.objectContaining({ status: 'invalid' })]);
  });

  it('says that nothing matches, of all or of one of several', async () => {
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

  it('says what this n8n has read before', async () => {
    const parameters = { operation: 'enrichCompanies', domain: given('domain') };
    const [domain = ''] = trackedDomains(sandbox, 1);
    await callTool(sandbox, 'bulkEnrich', parameters, { domain });
    expect(noteIn(await callTool(sandbox, 'bulkEnrich', parameters, { domain }))).toBe(
      'Cost: up to 1 credit, minus 1 for companies this n8n read in the last 30 days.',
    );
  });

  it('does not count what Count Only leaves out', async () => {
    const parameters = { ...PARTNERS, countOnly: true };
    const answer = await callTool(sandbox, 'partnerGraph', parameters, {
      company: hubs(sandbox)[0],
    });
    expect(noteIn(answer)).toBe('Cost: up to 1 credit.');
  });
});
