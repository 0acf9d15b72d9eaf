/** Company List: dropdowns for lists and permissions in the editor. */
import { json, TestService } from '../../src/client/support/service';
import { listSearch } from '../harness';
import { credentialFor, useSandbox, userCredential } from '../shared/service';
import { ask, byId } from '../shared/nodes';
import { OWN, SHARED } from './company-list';

const TYPE = 'n8n-nodes-company-intelligence.companyList';
const sandbox = useSandbox({ companies: 500 });

describe('the List field', () => {
  const search = async (filter?: string, credentials = userCredential(sandbox)) =>
    await listSearch({ type: TYPE, credentials }, 'searchLists', filter);

  it('shows the lists by name, with the access level of the user', async () => {
    await expect(search()).resolves.toEqual({
      results: [
        { name: 'Companies that look for partners (owner)', value: 'lst_000004' },
        { name: 'German and Dutch software companies (owner)', value: OWN },
        { name: 'Shopify merchants (owner)', value: SHARED },
      ],
    });
    await expect(search('', userCredential(sandbox, 'colleague'))).resolves.toEqual({
      results: [{ name: 'Shopify merchants (viewer)', value: SHARED }],
    });
    expect(sandbox.report().charged).toBe(0);
  });

  it.each([
    [' SHOPIFY ', [SHARED]],
    ['companies', ['lst_000004', OWN]],
    ['000002', [OWN]],
    ['nothing is called this', []],
  ])('finds lists by name or ID: %j', async (filter, ids) => {
    const { results } = await search(filter);

    expect(results.map(({ value }) => value)).toEqual(ids);
  });

  it('shows a list without a name by its ID, and skips entries without an ID', async () => {
    const service = await TestService.start(json([{ id: 7 }, { list_id: 'x', name: 'A' }, {}]));

    await expect(search('', credentialFor(service.baseUrl) as never)).resolves.toEqual({
      results: [
        { name: '7', value: '7' },
        { name: 'A', value: 'x' },
      ],
    });
  });
});

describe('the Permission field', () => {
  const search = async (list: string, filter?: string) => {
    const parameters = { resource: 'permission', operation: 'revoke', listId: byId(list) };
    const open = { type: TYPE, parameters, credentials: userCredential(sandbox) };
    return await listSearch(open, 'searchPermissions', filter);
  };

  it('shows who has access to the chosen list', async () => {
    await ask(sandbox, 'POST', `lists/${SHARED}/permissions`, {
      access_level: 'editor',
      user_id: 'user-colleague',
    });
    const all = { name: 'Whole organization (viewer)', value: '1' };

    await expect(search(SHARED)).resolves.toEqual({
      results: [{ name: 'user-colleague (editor)', value: '2' }, all],
    });
    await expect(search(SHARED, 'whole')).resolves.toEqual({ results: [all] });
  });

  it.each([
    ['', /No list is chosen/],
    // A list of another organization.
    ['lst_000003', /does not exist, or this user may not see it/],
  ])('fails with a reason when the list is %j', async (list, message) => {
    await expect(search(list)).rejects.toThrow(message);
  });
});
