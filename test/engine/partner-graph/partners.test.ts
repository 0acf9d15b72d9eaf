/** Partner Graph, lists: partners, companies that name a partner, and shared partners. */

import { connectedPair, hubs, strangers } from '../shared/partners';
import { sentTo, useSandbox } from '../shared/service';
import { running } from '../shared/nodes';

const NAME = 'Partner Graph';
const partnerGraph = running('partnerGraph', NAME);

const sandbox = useSandbox();
let hub: string;
beforeAll(() => {
  [hub = ''] = hubs(sandbox);
});

const sent = () => sentTo(sandbox).map(({ path, query }) => [path, query]);

describe('Get Partners', () => {
  const operation = 'getPartners';

  it('sends the filters of each item under their API names', async () => {
    const run = await partnerGraph(
      sandbox,
      {
        operation,
        identifier: '={{ $json.company }}',
        q: '={{ $json.q }}',
        partnershipTypes: '={{ $json.types }}',
        sort: '={{ $json.sort }}',
        limit: '={{ $json.limit }}',
      },
      [
        {
          company: `https://${hub}/x`,
          q: ' a ',
          types: ['technology', 'channel'],
          sort: 'observation_count',
          limit: 3,
        },
        { company: hub, q: '', types: [], sort: '-first_observed_at', limit: 2 },
        { company: hub, limit: 1 },
      ],
    );
    const path = `/v1/companies/${hub}/partnerships`;

    expect(sent()).toEqual([
      [
        path,
        {
          q: 'a',
          partnership_types: 'technology,channel',
          sort: 'observation_count',
          page: '1',
          limit: '3',
        },
      ],
      [path, { sort: '-first_observed_at', page: '1', limit: '2' }],
      [path, { sort: '-last_observed_at', page: '1', limit: '1' }],
    ]);
    const filtered = run.json(NAME).slice(0, 3);
    expect(filtered).toHaveLength(3);
    for (const json of filtered) {
      expect(['technology', 'channel']).toContain(json['partnership_type']);
      expect((json['partner_name'] as string).toLowerCase()).toContain('a');
    }
  });
});

it.each(['getPartners', 'getReversePartners', 'getSharedPartners'])(
  '%s: domain is the company of the row, and of_domain the requested one, in simplified rows only',
  async (operation) => {
    const { a, b } = connectedPair(sandbox);
    const asked = { identifier: hub, partnerDomain: hub, identifierA: a, identifierB: b };
    const rowsWith = async (simplify: boolean) => {
      const parameters = { operation, ...asked, returnAll: true, simplify };
      return (await partnerGraph(sandbox, parameters)).json(NAME);
    };
    const [flat, raw] = [await rowsWith(true), await rowsWith(false)];

    expect(raw.length).toBeGreaterThan(0);
    expect(flat.map(({ domain }) => domain)).toEqual(
      raw.map((row) => row['partner_domain'] ?? row['primary_domain']),
    );
    const of = operation === 'getSharedPartners' ? `${a}; ${b}` : hub;
    for (const row of flat) expect(row['of_domain']).toBe(of);
    for (const row of raw) expect(row).not.toHaveProperty('of_domain');
  },
);

it('Get Partners adds the requested company in columns that begin with of_', async () => {
  const options = { header: 'addToRows' };
  const run = await partnerGraph(sandbox, { identifier: hub, limit: 1, options });

  expect(run.json(NAME)).toMatchObject([
    { of_domain: hub, of_company_name: expect.any(String), of_slug: expect.any(String) },
  ]);
});

it('Get Shared Partners adds both companies to each row, as Compare names them', async () => {
  const { a, b } = connectedPair(sandbox);
  const run = await partnerGraph(sandbox, {
    operation: 'getSharedPartners',
    identifierA: a,
    identifierB: b,
    options: { header: 'addToRows' },
  });

  const [first = {}] = run.json(NAME);
  expect(first).toMatchObject({ domain_a: a, domain_b: b, company_name_a: expect.any(String) });
  expect(Object.keys(first).sort()).toEqual(
    [
      ...['domain', 'of_domain', 'company_name', 'slug', 'partnership_count'],
      ...['domain_a', 'company_name_a', 'slug_a', 'domain_b', 'company_name_b', 'slug_b'],
    ].sort(),
  );
});

describe.each(['getPartnership', 'getSharedPartners'])('%s', (operation) => {
  it('fails, or returns an item with If Not Found, when they are not partners', async () => {
    const { a, b } = strangers(sandbox);
    const ask = async (ifNotFound: string) =>
      await partnerGraph(sandbox, {
        operation,
        identifierA: a,
        identifierB: b,
        options: { ifNotFound },
      });
    const failed = await ask('error');
    const found = await ask('item');

    expect(failed.error).toMatchObject({
      httpCode: '404',
      message: expect.stringContaining('has no partnership between these two companies'),
      context: { data: { error: 'partnership_not_found' } },
    });
    expect(found.json(NAME)).toEqual([
      {
        found: false,
        identifier_a: a,
        identifier_b: b,
        reason: 'partnership_not_found',
        message: expect.any(String),
      },
    ]);
    expect(sandbox.report().charged).toBe(0);
  });
});
