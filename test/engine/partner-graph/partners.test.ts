/** Partner Graph, lists: partners, companies that name a partner, and shared partners. */
import { connectedPair, hubs, strangers } from '../shared/partners';
import { sentTo, useSandbox } from '../shared/service';
import { running } from '../shared/nodes';

const NAME = 'Partner Graph';
const partnerGraph = running('partnerGraph', NAME);

const sandbox = useSandbox();
let hub: string;
let a: string;
let b: string;
beforeAll(() => {
  [hub = ''] = hubs(sandbox);
  ({ a, b } = connectedPair(sandbox));
});

it('Get Partners sends the filters of each item under their API names', async () => {
  const fields = ['q', 'partnershipTypes', 'sort', 'limit'];
  const run = await partnerGraph(
    sandbox,
    {
      identifier: '={{ $json.company }}',
      ...Object.fromEntries(fields.map((name) => [name, `={{ $json.${name} }}`])),
    },
    [
      {
        company: `https://${hub}/x`,
        q: ' a ',
        partnershipTypes: ['technology', 'channel'],
        sort: 'observation_count',
        limit: 3,
      },
      { company: hub, q: '', partnershipTypes: [], sort: '-first_observed_at', limit: 2 },
      { company: hub, limit: 1 },
    ],
  );

  const types = 'technology,channel';
  expect(sentTo(sandbox).map(({ path, query }) => [path, query])).toEqual(
    [
      { q: 'a', partnership_types: types, sort: 'observation_count', page: '1', limit: '3' },
      { sort: '-first_observed_at', page: '1', limit: '2' },
      { sort: '-last_observed_at', page: '1', limit: '1' },
    ].map((query) => [`/v1/companies/${hub}/partnerships`, query]),
  );
  const filtered = run.json(NAME).slice(0, 3);
  expect(filtered).toHaveLength(3);
  for (const json of filtered) {
    expect(['technology', 'channel']).toContain(json['partnership_type']);
    expect((json['partner_name'] as string).toLowerCase()).toContain('a');
  }
});

const addToRows = { options: { header: 'addToRows' } };

it('Get Partners adds the requested company in columns that begin with of_', async () => {
  const run = await partnerGraph(sandbox, { identifier: hub, limit: 1, ...addToRows });

  expect(run.json(NAME)).toMatchObject([
    { of_domain: hub, of_company_name: expect.any(String), of_slug: expect.any(String) },
  ]);
});

it('Get Shared Partners adds both companies to each simplified row only', async () => {
  const shared = { operation: 'getSharedPartners', identifierA: a, identifierB: b };
  const [first = {}] = (await partnerGraph(sandbox, { ...shared, ...addToRows })).json(NAME);
  const raw = (await partnerGraph(sandbox, { ...shared, simplify: false })).json(NAME);

  expect(first).toMatchObject({ domain_a: a, domain_b: b, company_name_a: expect.any(String) });
  expect(Object.keys(first).sort()).toEqual(
    [
      ...['domain', 'of_domain', 'company_name', 'slug', 'partnership_count'],
      ...['domain_a', 'company_name_a', 'slug_a', 'domain_b', 'company_name_b', 'slug_b'],
    ].sort(),
  );
  expect(raw[0]).not.toHaveProperty('of_domain');
});

describe.each(['getPartnership', 'getSharedPartners'])('%s', (operation) => {
  it('fails, or returns an item with If Not Found, when they are not partners', async () => {
    const pair = strangers(sandbox);
    const ask = async (ifNotFound: string) =>
      await partnerGraph(sandbox, {
        operation,
        identifierA: pair.a,
        identifierB: pair.b,
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
        identifier_a: pair.a,
        identifier_b: pair.b,
        reason: 'partnership_not_found',
        message: expect.any(String),
      },
    ]);
    expect(sandbox.report().charged).toBe(0);
  });
});
