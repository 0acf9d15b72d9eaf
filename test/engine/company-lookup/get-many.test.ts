/** Company Lookup, Get Many: filters, sort and firmographics as the service is asked for them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, TestService } from '../../src/client/support/service';
import { runNode, running } from '../shared/nodes';
import { hubs } from '../shared/partners';
import { sentTo, useSandbox } from '../shared/service';

const NAME = 'Company Lookup';

const sandbox = useSandbox();

const getMany = async (parameters: INodeParameters, items: readonly IDataObject[] = [{}]) =>
  await runNode(sandbox, 'companyLookup', { operation: 'getMany', limit: 5, ...parameters }, items);

const queries = () => sentTo(sandbox).map(({ query }) => query);

it('asks for the companies with most partners, 50 of them, unless told otherwise', async () => {
  const run = await runNode(sandbox, 'companyLookup', { operation: 'getMany' });

  expect(sentTo(sandbox)).toEqual([
    {
      method: 'GET',
      path: '/v1/companies',
      query: { sort: '-partnership_count', page: '1', limit: '50' },
      status: 200,
    },
  ]);
  expect(run.json(NAME).map((json) => json['domain'])).toEqual(hubs(sandbox, 50));
});

it('asks for the partner without its subdomains, or with them, as each item says', async () => {
  await getMany(
    {
      filters: { partnerWith: 'https://shop.brassreef.co.uk/' },
      options: { subdomains: '={{ $json.how }}' },
    },
    [{ how: 'strip' }, { how: 'keep' }, { how: '' }],
  );

  expect(
    queries()
      .map((query) => query['partner_with'])
      .sort(),
  ).toEqual(['brassreef.co.uk', 'shop.brassreef.co.uk']);
});

it('sends every filter under its name, and gives the rows that come', async () => {
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

it('sends a "no" and a zero too', async () => {
  await getMany({ filters: { hasPartnerPage: false, partnerCountMax: 0 } });

  expect(queries()[0]).toMatchObject({ has_partner_page: 'false', partner_count_max: '0' });
});

it('does not carry a filter from one item into the next', async () => {
  await getMany(
    {
      filters: { q: '={{ $json.q }}', hasPartnerPage: '={{ $json.page }}' },
      sort: '={{ $json.sort }}',
      limit: '={{ $json.limit }}',
    },
    [
      { q: 'north', page: true, sort: '-name', limit: 2 },
      { q: '', page: false, sort: 'partnership_count', limit: 3 },
      { limit: 4 },
    ],
  );

  expect(queries()).toEqual([
    { q: 'north', has_partner_page: 'true', sort: '-name', page: '1', limit: '2' },
    { has_partner_page: 'false', sort: 'partnership_count', page: '1', limit: '3' },
    { sort: '-partnership_count', page: '1', limit: '4' },
  ]);
});

it.each([{ q: 'no company has this name' }, { partnerWith: 'nobody-tracks-this.com' }])(
  'gives no item, and no error, when nothing matches: %j',
  async (filters) => {
    const run = await getMany({ filters, returnAll: true });

    expect(run.error).toBeUndefined();
    expect(run.json(NAME)).toEqual([]);
    expect(sandbox.report()).toMatchObject({ requests: 1, charged: 0 });
  },
);

const REFUSED: Array<[string, INodeParameters, RegExp]> = [
  [
    'a minimum above the maximum',
    { filters: { partnerCountMin: 5, partnerCountMax: 4 } },
    /Minimum Number of Partners is larger/,
  ],
  [
    'a negative number',
    { filters: { partnerCountMin: -1 } },
    /"Minimum Number of Partners" must be a whole number of 0 or more, not "-1"/,
  ],
  [
    'half a partner',
    { filters: { partnerCountMax: 1.5 } },
    /"Maximum Number of Partners" must be a whole number/,
  ],
  ['a partner that is none', { filters: { partnerWith: 'x/y' } }, /"Partner With" is neither/],
  [
    'an unknown type',
    { filters: { partnershipTypes: ['friendship'] } },
    /"Partnership Types" cannot be "friendship"/,
  ],
  ['an unknown order', { sort: 'founded_year' }, /"Sort" cannot be "founded_year"/],
  ['technologies, which lists do not have', { include: ['technologies'] }, /"Include" cannot be/],
  [
    'neither yes nor no',
    { filters: { hasPartnerPage: '={{ "perhaps" }}' } },
    /"Has Partner Page" cannot be "perhaps"/,
  ],
];

it.each(REFUSED)('refuses %s before anything is sent', async (_what, parameters, message) => {
  const run = await getMany(parameters);

  expect(run.error).toMatchObject({
    name: 'NodeOperationError',
    message: expect.stringMatching(message),
    context: { itemIndex: 0 },
  });
  expect(run.error?.description).toMatch(/\w/);
  expect(sandbox.report().requests).toBe(0);
});

/** A service of 1,000 companies whose page 2 answers 500 for good; `billed` are those it has sent. */
async function brokenService() {
  const billed = new Set<string>();
  const service = await TestService.start((request, response) => {
    const { searchParams } = new URL(request.url, 'http://service.test');
    const [page, limit] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
    if (page === 2) {
      json({ error: 'broken', message: 'Broken' }, 500)(request, response);
      return;
    }
    const data = Array.from({ length: limit }, (_one, index) => {
      const slug = `company-${String((page - 1) * limit + index + 1)}`;
      return { slug, name: slug, primary_domain: `${slug}.com`, partnership_count: 1 };
    });
    for (const { slug } of data) billed.add(slug);
    const pagination = { page, limit, total_results: 1000, has_next: page * limit < 1000 };
    json({ data, pagination })(request, response);
  });
  return { service, billed };
}

const getAll = running('companyLookup', NAME);

describe('when page 2 of 10 fails for good', () => {
  const parameters = { operation: 'getMany', returnAll: true };

  it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
    'outputs every row that was billed, then an error that says which are missing: %s',
    async (onError) => {
      const { service, billed } = await brokenService();
      const run = await getAll(service, parameters, [{}], { onError });
      const told = Number(run.customData['company_intelligence_requests']);
      const isApart = onError === 'continueErrorOutput';
      const items = run.json(NAME);
      const rows = isApart ? items : items.slice(0, -1);
      const [failed] = isApart ? run.json(NAME, 1) : items.slice(-1);

      expect(rows.map(({ slug }) => slug)).toEqual([...billed].sort(byNumber));
      expect(billed.size).toBeGreaterThan(100);
      expect(told).toBeGreaterThanOrEqual(service.received.length);
      expect(failed?.['message']).toContain(
        `(at page 2; ${String(rows.length)} rows came; missing: rows 101 to 200`,
      );
      expect((failed?.['error'] as IDataObject)['hint']).toContain('free for 30 days');
    },
  );

  it('says with Stop Workflow what was paid, and that it is free for 30 days', async () => {
    const { service } = await brokenService();
    const run = await getAll(service, parameters, [{}], {});

    expect(run.error?.description).toMatch(
      /Spent before this error: at most [\d,]+ credits, in \d+ requests\. .* free for 30 days/,
    );
  });

  it('writes a file with every row that was billed', async () => {
    const { service, billed } = await brokenService();
    const file = { ...parameters, output: 'ndjson' };
    const settings = { onError: 'continueRegularOutput' } as const;
    const run = await getAll(service, file, [{}], settings);
    const [item] = run.output(NAME);
    const text = Buffer.from(item?.binary?.['data']?.data ?? '', 'base64').toString();
    const slugs = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { slug: string }).slug);

    expect(slugs).toEqual([...billed].sort(byNumber));
    expect(item?.json['error']).toMatchObject({ rows: billed.size, next_page: 2 });
  });
});

function byNumber(a: string, b: string): number {
  return Number(/\d+/.exec(a)) - Number(/\d+/.exec(b));
}
