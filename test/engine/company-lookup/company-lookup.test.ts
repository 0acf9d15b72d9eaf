/** Company Lookup: accepted forms of a company, filters, and input that is rejected. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, TestService } from '../../src/client/support/service';
import type { WorkflowRun } from '../harness';
import { runNode, running } from '../shared/nodes';
import { hubs } from '../shared/partners';
import { sentTo, useSandbox, trackedDomains, type NodeSettings } from '../shared/service';

const NAME = 'Company Lookup';

const sandbox = useSandbox();

describe('Get', () => {
  const lookUp = running('companyLookup', NAME, { identifier: '={{ $json.company }}' });
  const get = async (
    items: readonly IDataObject[],
    parameters: INodeParameters = {},
    settings: NodeSettings = {},
  ) => await lookUp(sandbox, parameters, items, settings);

  const foundBy = (run: WorkflowRun) => run.json(NAME);
  const paths = () => sentTo(sandbox).map(({ path }) => path);

  it('requests the sections of each item, and none of an earlier item', async () => {
    const [a = '', b = '', c = ''] = trackedDomains(sandbox, 3);
    const run = await get(
      [
        { company: a, sections: ['technologies', 'firmographics'] },
        { company: b, sections: [] },
        { company: c, sections: 'firmographics' },
      ],
      { include: '={{ $json.sections }}' },
    );

    expect(
      foundBy(run).map((row) => [row['technology_names'] !== '', row['industry'] !== '']),
    ).toEqual([
      [true, true],
      [false, false],
      [false, true],
    ]);
    const included = Object.fromEntries(sentTo(sandbox).map(({ path, query }) => [path, query]));
    expect(included).toEqual({
      [`/v1/companies/${a}`]: { include: 'technologies,firmographics' },
      [`/v1/companies/${b}`]: {},
      [`/v1/companies/${c}`]: { include: 'firmographics' },
    });
  });

  it('finds a company by domain, URL, email address or slug and is charged once', async () => {
    const company = sandbox.world.companies.find(({ slug }) => slug !== null);
    const domain = company?.primaryDomain ?? '';
    const url = `https://www.${domain.toUpperCase()}/about?x=1#y`;
    const forms = [domain, url, `jo@${domain}`, `  ${domain}.  `, `app.${domain}`, company?.slug];
    const run = await get(forms.map((one) => ({ company: one })));

    expect(foundBy(run).map((row) => row['company_name'])).toEqual(forms.map(() => company?.name));
    expect(paths()).toEqual([`/v1/companies/${domain}`, `/v1/companies/${company?.slug ?? ''}`]);
    expect(sandbox.report().charged).toBe(1);
  });

  it('reads the main domain by default, and refuses no host that a list holds', async () => {
    const [domain = ''] = trackedDomains(sandbox, 1);
    const hosts = ['yahoo.com', 'web.de', 'test.com', 'me.com'];
    const items = [`cloud.${domain}`, ...hosts].map((company) => ({ company }));
    const found = foundBy(await get(items, { options: { ifNotFound: 'item' } }));

    expect(found[0]).toMatchObject({ domain });
    expect(found.map(({ reason }) => reason)).not.toContain('invalid');
    expect(paths()).toEqual([domain, ...hosts].map((sent) => `/v1/companies/${sent}`));

    const kept = await get(items.slice(0, 1), { options: { subdomains: 'keep' } });
    expect(kept.error?.message).toContain(`cloud.${domain}`);
  });

  it.each<[unknown, boolean]>([
    [{ error: 'company_not_found' }, true],
    // The API spec defines an error code for this 404. Without the code, the Base URL may be wrong.
    [{ detail: 'shop.example is not tracked' }, false],
    [{ message: 'Cannot GET /v1/companies/shop.example' }, false],
  ])('with If Not Found, a 404 with %j is output as an item: %s', async (body, isItem) => {
    const service = await TestService.start(json(body, 404));
    const parameters = { identifier: 'shop.example', options: { ifNotFound: 'item' } };
    const run = await lookUp(service, parameters, [{}], { onError: 'continueErrorOutput' });

    const items = foundBy(run).map(({ found, identifier }) => [found, identifier]);
    expect(items).toEqual(isItem ? [[false, 'shop.example']] : []);
    expect(run.json(NAME, 1)).toHaveLength(isItem ? 0 : 1);
  });

  it('fails only the item whose option is invalid', async () => {
    const [a, b] = trackedDomains(sandbox, 2);
    const rows = [
      { company: a, keys: 'no key!' },
      { company: b, keys: 'hubspot' },
    ];
    const options = { technologyColumns: '={{ $json.keys }}' };
    const run = await get(rows, { options }, { onError: 'continueRegularOutput' });

    expect(run.json(NAME)).toMatchObject([
      { message: expect.stringContaining('"key!" is not a tech key') },
      { domain: b, has_hubspot: expect.any(Boolean) },
    ]);
  });

  it.each([
    ['queue', 1],
    ['regular', 0],
  ])('says in %s mode that workers share the limit only over Redis: %d', async (mode, hints) => {
    process.env['EXECUTIONS_MODE'] = mode;
    sandbox.addFault({ preset: 'rateLimit', options: { seconds: 1 }, when: 'first' });
    const run = await get([{ company: trackedDomains(sandbox, 1)[0]! }]);
    delete process.env['EXECUTIONS_MODE'];

    expect(run.error).toBeUndefined();
    const found = run.messages(NAME).filter((hint) => hint.includes('share the limit only with'));
    expect(found).toHaveLength(hints);
  });

  it('fails at once when the rate limit resets after more than ten minutes', async () => {
    sandbox.addFault({ preset: 'rateLimit', options: { seconds: 601 }, when: 'every' });
    const run = await get([{ company: 'a.com' }]);

    // n8n's default time zone is New York.
    expect(run.error?.message).toMatch(/resets on .* \(New York\), later than this run may wait/);
  });
});

describe('Get Many', () => {
  const getMany = async (parameters: INodeParameters, items: readonly IDataObject[] = [{}]) => {
    const given = { operation: 'getMany', limit: 5, ...parameters };
    return await runNode(sandbox, 'companyLookup', given, items);
  };
  const queries = () => sentTo(sandbox).map(({ query }) => query);

  it('sends every filter under its API name and outputs the returned rows', async () => {
    const [hub = ''] = hubs(sandbox);
    const run = await getMany({
      filters: {
        q: ' a ',
        partnerWith: `https://www.${hub}/partners`,
        partnershipTypes: ['technology', 'channel'],
        partnerCountMin: 2,
        partnerCountMax: 60,
        hasPartnerPage: true,
      },
      sort: 'name',
      include: ['firmographics'],
    });

    expect(queries()).toEqual([
      {
        q: 'a',
        partner_with: hub,
        partnership_types: 'technology,channel',
        partner_count_min: '2',
        partner_count_max: '60',
        has_partner_page: 'true',
        sort: 'name',
        include: 'firmographics',
        page: '1',
        limit: '5',
      },
    ]);
    expect(run.json(NAME).map(({ industry }) => typeof industry)).toEqual(Array(5).fill('string'));
  });

  it('sends a filter even if it is false or 0, and carries none into the next item', async () => {
    const filters = {
      q: '={{ $json.q }}',
      hasPartnerPage: '={{ $json.page }}',
      partnerCountMax: '={{ $json.most }}',
    };
    await getMany({ filters, sort: '={{ $json.sort }}', limit: '={{ $json.limit }}' }, [
      { q: 'north', page: true, most: 0, sort: '-name', limit: 2 },
      { q: '', page: false, sort: 'partnership_count', limit: 3 },
      { limit: 4 },
    ]);

    const first = { q: 'north', has_partner_page: 'true', partner_count_max: '0', sort: '-name' };
    expect(queries()).toEqual([
      { ...first, page: '1', limit: '2' },
      { has_partner_page: 'false', sort: 'partnership_count', page: '1', limit: '3' },
      { sort: '-partnership_count', page: '1', limit: '4' },
    ]);
  });

  it.each<[INodeParameters, string]>([
    [{ partnerCountMin: 5, partnerCountMax: 4 }, 'Minimum Number of Partners is larger'],
    [{ partnerWith: 'x/y' }, '"Partner With" is neither'],
  ])('refuses %j before anything is sent', async (filters, message) => {
    const run = await getMany({ filters });

    expect(run.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringContaining(message),
      description: expect.stringMatching(/\w/),
      context: { itemIndex: 0 },
    });
    expect(sandbox.report().requests).toBe(0);
  });
});
