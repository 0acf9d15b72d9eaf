/** Tech Users: suggestions for keys, and counts of users. */
import { sentTo, useSandbox } from '../shared/service';
import { byId, running } from '../shared/nodes';
import { errorItemOf } from '../shared/error-items';

const NAME = 'Tech Users';
const techUsers = running('techUsers', NAME);

const sandbox = useSandbox();

describe('Get by Technology', () => {
  const operation = 'getByTechnology';

  it('suggests similar keys in the item of If Not Found too', async () => {
    const run = await techUsers(sandbox, {
      operation,
      techKey: byId('adobe-analytic'),
      options: { ifNotFound: 'item' },
    });

    expect(run.json(NAME)).toEqual([
      {
        found: false,
        tech_key: 'adobe-analytic',
        reason: 'technology_not_found',
        message: expect.stringContaining('Did you mean "adobe-analytics"?'),
      },
    ]);
  });

  it('keeps the original error when the search for suggestions fails', async () => {
    sandbox.addFault({ preset: 'forbidden', match: { path: '/v1/technologies' }, when: 'every' });
    const run = await techUsers(sandbox, { operation, techKey: byId('google-analitics') });

    expect(run.error?.message).toMatch(/has no technology with this tech key/);
    expect(run.error?.message).not.toContain('Did you mean');
  });
});

describe.each(['getByTechnology', 'count'])('%s with an unknown or invalid key', (operation) => {
  it('suggests similar keys when the service does not know the key', async () => {
    const run = await techUsers(
      sandbox,
      { operation, techKey: byId('={{ $json.key }}') },
      [{ key: 'google-analitics' }, { key: 'adobe-analytic' }, { key: 'zzzz' }],
      { onError: 'continueRegularOutput' },
    );
    const [words, whole, none] = run.json(NAME);

    expect(words).toEqual(
      errorItemOf(
        'technology_not_found',
        expect.stringMatching(/\. Did you mean "[a-z0-9-]+", "[a-z0-9-]+", "[a-z0-9-]+"\?$/),
        { status: 404, did_you_mean: expect.arrayContaining(['google-analytics']) },
      ),
    );
    expect(whole).toMatchObject({
      message: expect.stringMatching(/Did you mean "adobe-analytics"\?$/),
      error: { did_you_mean: ['adobe-analytics'] },
    });
    expect(none?.['message']).not.toContain('Did you mean');
    expect(none?.['error']).not.toHaveProperty('did_you_mean');
    expect(sandbox.report().charged).toBe(0);
  });

  it.each([
    // The node does not convert a name to a key, because most such keys would not exist.
    ['Google Analytics', 1, /"Google Analytics" is not a tech key. Did you mean "google-/],
    ['HubSpot', 1, /"HubSpot" is not a tech key. Did you mean "hubspot/],
    ['HubSpot CRM', 2, /"HubSpot CRM" is not a tech key. Did you mean "hubspot"/],
    ['../vendors', 2, /"\.\.\/vendors" is not a tech key$/],
    ['', 0, /No technology is chosen/],
  ])('refuses %j with suggestions from %i free searches', async (key, searches, message) => {
    const techKey = byId(`={{ $json.key ?? "${key}" }}`);
    const run = await techUsers(sandbox, { operation, techKey }, [{}, { key: 'hubspot' }]);

    expect(run.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringMatching(message),
      description: expect.stringContaining('lowercase letters, digits and hyphens'),
      context: { itemIndex: 0 },
    });
    const sent = sandbox.report().recent.map(({ path }) => path);
    expect(sent.filter((path) => !path.startsWith('/v1/technologies?'))).toEqual([]);
    expect(sent).toHaveLength(searches);
    expect(sandbox.report().charged).toBe(0);
  });
});

describe('Count', () => {
  it.each([
    [{ countBy: 'technology', techKey: byId('hubspot') }, 'technology', 'tech_key', 'hubspot'],
    [{ countBy: 'vendor', vendorDomain: 'hubspot.com' }, 'vendor', 'domain', 'hubspot.com'],
  ])('returns the header and total for 1 credit: %j', async (parameters, kind, field, value) => {
    const run = await techUsers(sandbox, { operation: 'count', ...parameters });
    const { requests, charged } = sandbox.report();
    const total = Number(run.json(NAME)[0]?.['total_companies']);
    const list = await techUsers(sandbox, {
      operation: kind === 'vendor' ? 'getByVendor' : 'getByTechnology',
      ...parameters,
      returnAll: true,
      // A whole page could cost more, but the list has fewer rows.
      options: { maxCredits: total + 1 },
    });

    expect({ requests, charged }).toEqual({ requests: 1, charged: 1 });
    expect(sentTo(sandbox)[0]?.query).toEqual({ page: '1', limit: '1' });
    expect(run.json(NAME)).toMatchObject([{ [field]: value }]);
    expect(list.json(NAME)).toHaveLength(total);
    expect(sandbox.report().charged).toBe(total);
  });

  it('counts by technology or vendor as each item says', async () => {
    const run = await techUsers(
      sandbox,
      {
        operation: 'count',
        countBy: '={{ $json.by }}',
        techKey: byId('={{ $json.key }}'),
        vendorDomain: '={{ $json.vendor }}',
      },
      [
        { by: 'technology', key: 'stripe', vendor: 'not used' },
        { by: 'vendor', key: 'Not Used', vendor: 'stripe.com' },
      ],
    );

    expect(run.json(NAME)).toMatchObject([{ tech_key: 'stripe' }, { vendor_slug: 'stripe' }]);
  });

  it('fails when the response has no header', async () => {
    sandbox.addFault({ preset: 'setField', options: { field: 'technology', value: null } });
    const run = await techUsers(sandbox, { operation: 'count', techKey: byId('stripe') }, [{}], {
      onError: 'continueRegularOutput',
    });

    expect(run.json(NAME)).toMatchObject([errorItemOf('invalid_response')]);
  });
});
