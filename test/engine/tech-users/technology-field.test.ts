/** Tech Users: the search while the user types in Technology. */
import { everythingOf } from '../../src/client/support/client';
import { listSearch } from '../harness';
import { sentTo, useSandbox, userCredential } from '../shared/service';

const TYPE = 'n8n-nodes-company-intelligence.techUsers';
const sandbox = useSandbox();

const search = async (filter?: string, credentials = userCredential(sandbox)) =>
  await listSearch({ type: TYPE, credentials }, 'searchTechnologies', filter);

it.each(['user', 'organization'] as const)(
  'finds technologies by name with a key of the %s',
  async (key) => {
    const { companyIntelligenceUserApi: data } = userCredential(sandbox, key);
    const type = `companyIntelligence${key === 'user' ? 'User' : 'Organization'}Api`;
    const open = {
      type: TYPE,
      parameters: { authentication: `${key}Key` },
      credentials: { [type]: data },
    };

    await expect(listSearch(open, 'searchTechnologies', 'magento')).resolves.toEqual({
      results: [{ name: 'Magento – Adobe', value: 'magento' }],
    });
    expect(sandbox.report()).toMatchObject({ charged: 0, byKey: { [key]: {} } });
  },
);

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
  const failure = await search('magento', credentials).catch((error: unknown) => error);

  expect(failure).toMatchObject({
    message: expect.stringMatching(/rejected the API key/),
    description: expect.stringMatching(/Check the API key/),
  });
  expect(everythingOf(failure)).not.toContain('ci_user_mistyped');
});
