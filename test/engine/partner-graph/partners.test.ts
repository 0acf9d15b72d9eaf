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

  it('requests the 50 most recently seen partners by default', async () => {
    const run = await partnerGraph(sandbox, { identifier: hub });

    expect(sent()).toEqual([
      [`/v1/companies/${hub}/partnerships`, { sort: '-last_observed_at', page: '1', limit: '50' }],
    ]);
    const seen = run.json(NAME).map((json) => json['last_observed_at'] as string);
    expect(seen).toHaveLength(50);
    expect(seen).toEqual([...seen].sort().reverse());
  });

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

it('Get Partners adds the requested company to simplified rows, but not to raw rows', async () => {
  const [, other = ''] = hubs(sandbox);
  const parameters = { operation: 'getPartners', identifier: '={{ $json.company }}', limit: 2 };
  const rows = [{ company: hub }, { company: other }];
  const flat = (await partnerGraph(sandbox, parameters, rows)).json(NAME);
  const raw = (await partnerGraph(sandbox, { ...parameters, simplify: false }, rows)).json(NAME);

  expect(flat.map(({ domain }) => domain)).toEqual([hub, hub, other, other]);
  expect(Object.keys(flat[0] ?? {}).slice(0, 3)).toEqual([
    'domain',
    'partner_name',
    'partner_domain',
  ]);
  expect(raw.map((row) => row['partner_name'])).toEqual(flat.map((row) => row['partner_name']));
  for (const row of raw) expect(row).not.toHaveProperty('domain');
});

it('Get Shared Partners uses the usual company columns in simplified rows', async () => {
  const { a, b } = connectedPair(sandbox);
  const parameters = { operation: 'getSharedPartners', identifierA: a, identifierB: b, limit: 3 };
  const flat = (await partnerGraph(sandbox, parameters)).json(NAME);
  const raw = (await partnerGraph(sandbox, { ...parameters, simplify: false })).json(NAME);

  expect(flat).toHaveLength(3);
  expect(flat.map(({ domain, company_name }) => [domain, company_name])).toEqual(
    raw.map(({ primary_domain, name }) => [primary_domain, name]),
  );
  for (const row of flat) expect(row).not.toHaveProperty('primary_domain');
});

describe('Get Reverse Partners', () => {
  const operation = 'getReversePartners';

  it('requests the companies that name a partner, with firmographics when included', async () => {
    const run = await partnerGraph(
      sandbox,
      {
        operation,
        partnerDomain: '={{ $json.partner }}',
        limit: 2,
        include: '={{ $json.include }}',
      },
      [
        { partner: `jo@${hub}`, include: ['firmographics'] },
        { partner: hubs(sandbox)[1], include: [] },
      ],
    );

    expect(sent()).toEqual([
      [`/v1/partnerships/${hub}/companies`, { include: 'firmographics', page: '1', limit: '2' }],
      [`/v1/partnerships/${hubs(sandbox)[1] ?? ''}/companies`, { page: '1', limit: '2' }],
    ]);
    expect(run.json(NAME).map((json) => json['industry'] !== '')).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['', /The field is empty/],
    ['a-slug', /The value contains no domain/],
  ])('refuses %j, which is not a domain, before anything is sent', async (partner, message) => {
    const run = await partnerGraph(sandbox, { operation, partnerDomain: '={{ $json.partner }}' }, [
      { partner },
    ]);

    expect(run.error?.message).toMatch(message);
    expect(run.error?.message).toContain('"Partner Domain" contains no usable domain');
    expect(sandbox.report().requests).toBe(0);
  });
});

const PAIRS = ['getPartnership', 'getSharedPartners', 'getPairGraph'];

describe('Get Partnership', () => {
  it('returns the partnership with its sources for 2 credits', async () => {
    const { a, b } = connectedPair(sandbox);
    const run = await partnerGraph(sandbox, {
      operation: 'getPartnership',
      identifierA: `https://${a}`,
      identifierB: `www.${b}`,
    });

    expect(sent()).toEqual([[`/v1/partnerships/${a}/${b}`, {}]]);
    expect(sandbox.report().charged).toBe(2);
    expect(run.json(NAME)).toEqual([
      {
        company_a: expect.objectContaining({ primary_domain: a }),
        company_b: expect.objectContaining({ primary_domain: b }),
        partnership_type: expect.stringMatching(/^(technology|channel|generic)$/),
        first_observed_at: expect.any(String),
        shared_partner_count: expect.any(Number),
        attributions: expect.arrayContaining([
          expect.objectContaining({ source: expect.any(String) }),
        ]),
      },
    ]);
  });
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
      ...['domain', 'company_name', 'slug', 'partnership_count'],
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
    const told = await ask('item');

    expect(failed.error).toMatchObject({
      httpCode: '404',
      message: expect.stringContaining('has no partnership between these two companies'),
      context: { data: { error: 'partnership_not_found' } },
    });
    expect(told.json(NAME)).toEqual([
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

describe.each(PAIRS)('%s', (operation) => {
  it('names the missing or malformed company before anything is sent', async () => {
    const run = await partnerGraph(
      sandbox,
      { operation, identifierA: '={{ $json.a }}', identifierB: '={{ $json.b }}' },
      [
        { a: '', b: hub },
        { a: hub, b: 'x/y' },
      ],
      { onError: 'continueErrorOutput' },
    );

    expect(run.json(NAME, 1).map((json) => json['message'])).toEqual([
      expect.stringContaining('"Company A" is empty'),
      expect.stringContaining('"Company B" is neither'),
    ]);
    expect(sandbox.report().requests).toBe(0);
  });
});
