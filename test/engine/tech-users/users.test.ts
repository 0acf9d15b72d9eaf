/** Tech Users: suggestions for keys, counts of users, and the search in the Technology field. */
import { everythingOf } from '../../src/client/support/client';
import { listSearch } from '../harness';
import { sentTo, useSandbox, userCredential } from '../shared/service';
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
    ['HubSpot CRM', /^"HubSpot CRM" is not a tech key. Did you mean "hubspot-crm"\?$/],
    ['../vendors', /^"\.\.\/vendors" is not a tech key$/],
    ['', /^No technology is chosen$/],
  ])('refuses %j before anything is sent', async (key, message) => {
    const techKey = byId(`={{ $json.key ?? "${key}" }}`);
    const run = await techUsers(sandbox, { operation, techKey }, [{}, { key: 'hubspot' }]);

    expect(run.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringMatching(message),
      description: expect.stringContaining('lowercase letters, digits and hyphens'),
      context: { itemIndex: 0 },
    });
    expect(sandbox.report().requests).toBe(0);
  });
});

describe('Count', () => {
  it('fails when the response has no header', async () => {
    sandbox.addFault({ preset: 'setField', options: { field: 'technology', value: null } });
    const run = await techUsers(sandbox, { operation: 'count', techKey: byId('stripe') }, [{}], {
      onError: 'continueRegularOutput',
    });

    expect(run.json(NAME)).toMatchObject([errorItemOf('invalid_response')]);
  });
});

describe('the Technology field', () => {
  const search = async (
    filter?: string,
    { credentials = userCredential(sandbox), parameters = {} } = {},
  ) =>
    await listSearch(
      { type: 'n8n-nodes-company-intelligence.techUsers', parameters, credentials },
      'searchTechnologies',
      filter,
    );

  it('finds technologies by name, with either key', async () => {
    const { companyIntelligenceUserApi: organization } = userCredential(sandbox, 'organization');
    const byOrganization = {
      parameters: { authentication: 'organizationKey' },
      credentials: { companyIntelligenceOrganizationApi: organization } as never,
    };
    const found = { results: [{ name: 'Magento – Adobe', value: 'magento' }] };

    await expect(search('magento')).resolves.toEqual(found);
    await expect(search('magento', byOrganization)).resolves.toEqual(found);
    expect(Object.keys(sandbox.report().byKey)).toEqual(['user', 'organization']);
    expect(sandbox.report().charged).toBe(0);
  });

  it.each([undefined, '', '   '])('sends no request until text is entered (%j)', async (filter) => {
    await expect(search(filter)).resolves.toEqual({ results: [] });
    expect(sandbox.report().requests).toBe(0);
  });

  it('truncates pasted text to the length that the service accepts', async () => {
    await search('x'.repeat(300));

    expect(sentTo(sandbox)[0]).toMatchObject({ query: { q: 'x'.repeat(200) }, status: 200 });
  });

  it('explains that the API key is wrong without showing it', async () => {
    const credentials = userCredential(sandbox, 'user', { apiKey: 'ci_user_mistyped' });
    const failure = await search('magento', { credentials }).catch((error: unknown) => error);

    expect(failure).toMatchObject({
      message: expect.stringMatching(/rejected the API key/),
      description: expect.stringMatching(/Check the API key/),
    });
    expect(everythingOf(failure)).not.toContain('ci_user_mistyped');
  });
});
