/** Company List, lists: creates, finds, renames, transfers and deletes them. */
import { json, TestService } from '../../src/client/support/service';
import { credentialFor, useSandbox, userCredential } from '../shared/service';
import { ask, byId } from '../shared/nodes';
import { companyList, NAME, namesOfLists, operationsOf, OWN, SHARED } from './company-list';

const sandbox = useSandbox({ companies: 500 });
const list = (operation: string, parameters = {}) => ({
  resource: 'list',
  operation,
  ...parameters,
});
const run = operationsOf(sandbox, { resource: 'list' });

describe('Create', () => {
  it('creates an empty list and returns its list_id and definition', async () => {
    const got = await run('create', { name: '={{ $json.name }}' }, [
      { name: ' Hot leads ' },
      { name: '[Draft] "Cold" leads' },
    ]);

    expect(got.json(NAME)).toEqual(
      ['Hot leads', '[Draft] "Cold" leads'].map((name): unknown =>
        expect.objectContaining({
          list_id: expect.stringMatching(/^lst_/),
          name,
          definition: expect.objectContaining({ root: null }),
        }),
      ),
    );
    expect(got.traced()).toEqual([0, 1]);
    expect(await namesOfLists(sandbox)).toEqual(expect.arrayContaining(['Hot leads']));
    expect(sandbox.report()).toMatchObject({ charged: 0, created: { lists: 2 } });
  });

  it('creates a list with a definition that has the version of the catalog', async () => {
    const got = await run('create', {
      name: 'Shops',
      definitionMode: 'json',
      definition: '{ "root": { "field": "technology", "operator": "equals", "value": "shopify" } }',
    });

    expect(got.json(NAME)[0]).toMatchObject({
      name: 'Shops',
      definition: {
        registry_version: '2025-06-01',
        root: { field: 'technology', operator: 'equals', value: 'shopify' },
      },
    });
  });

  it('sends Additional Fields, which override the fields of the node', async () => {
    const service = await TestService.start(json({ list_id: 'l1' }, 201));
    await companyList(
      service,
      list('create', { name: 'A', options: { additionalFields: '{ "folder": 7, "name": "B" }' } }),
    );

    expect(service.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/v1/lists', '{"name":"B","folder":7}'],
    ]);
  });

  it('creates one list when several items request the same one', async () => {
    const got = await run('create', { name: 'Leads' }, [{}, {}, {}]);

    expect(sandbox.report().created.lists).toBe(1);
    expect(got.json(NAME)).toHaveLength(3);
    expect(got.traced()).toEqual([0, 1, 2]);
  });

  it.each([
    ['', /"Name" is empty/],
    ['  ', /"Name" is empty/],
    [{ de: 'Liste' }, /"Name" is not text/],
  ])('refuses %j as a name before anything is sent', async (name, message) => {
    const got = await run('create', { name: '={{ $json.name }}' }, [{ name }]);

    expect(got.error?.message).toMatch(message);
    expect(sandbox.report().requests).toBe(0);
  });
});

describe('Get', () => {
  it('returns the list with its definition and permissions', async () => {
    const got = await run('get', { listId: byId(SHARED) });

    expect(got.json(NAME)).toEqual([
      expect.objectContaining({
        list_id: SHARED,
        name: 'Shopify merchants',
        access_level: 'owner',
        definition: expect.objectContaining({ version: 1 }),
        permissions: [expect.objectContaining({ access_level: 'viewer' })],
      }),
    ]);
  });
});

describe('Get Many', () => {
  it.each([
    [{ limit: 1 }, 1],
    [{ returnAll: true }, 2],
  ])('skips the first lists when Offset is set: %j', async (parameters, count) => {
    const all = await run('getMany', { returnAll: true });
    const got = await run('getMany', { ...parameters, options: { offset: 1 } });

    expect(got.json(NAME)).toEqual(all.json(NAME).slice(1, 1 + count));
  });

  it('reads the next page when there are more lists, but stops when a page repeats', async () => {
    const page = (id: string, more: boolean) => ({ lists: [{ list_id: id }], has_more: more });
    const good = await TestService.start((request, response) => {
      const second = request.url.includes('offset=1');
      json(page(second ? 'b' : 'a', !second))(request, response);
    });
    const stuck = await TestService.start(json(page('a', true)));
    const read = async (baseUrl: string) =>
      await run('getMany', { returnAll: true }, [{}], {
        credentials: credentialFor(baseUrl),
      });
    const [all, some] = [await read(good.baseUrl), await read(stuck.baseUrl)];

    expect(all.json(NAME)).toEqual([{ list_id: 'a' }, { list_id: 'b' }]);
    expect(all.hints(NAME)).toEqual([]);
    expect(some.json(NAME)).toEqual([{ list_id: 'a' }]);
    expect(some.hints(NAME)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('more rows than these 1') }),
    ]);
    expect(stuck.received).toHaveLength(2);
  });
});

describe('Rename', () => {
  it('renames each list to the name of its item', async () => {
    const got = await run(
      'rename',
      { listId: byId('={{ $json.list }}'), name: '={{ $json.name }}' },
      [
        { list: OWN, name: 'DACH' },
        { list: SHARED, name: 'Shops' },
      ],
    );

    expect(got.json(NAME)).toEqual([
      expect.objectContaining({ list_id: OWN, name: 'DACH' }),
      expect.objectContaining({ list_id: SHARED, name: 'Shops' }),
    ]);
    expect((await namesOfLists(sandbox)).slice(0, 2)).toEqual(['Shops', 'DACH']);
  });

  it('outputs the list ID and name when the response is empty', async () => {
    const service = await TestService.start((_request, response) => {
      response.writeHead(204).end();
    });
    const got = await companyList(
      service,
      list('rename', {
        listId: byId('l1'),
        name: 'A',
        options: { additionalFields: { note: 'x' } },
      }),
    );

    expect(got.json(NAME)).toEqual([{ list_id: 'l1', name: 'A' }]);
    expect(service.received.map(({ method, body }) => [method, body])).toEqual([
      ['PATCH', '{"name":"A","note":"x"}'],
    ]);
  });
});

describe('Delete', () => {
  it.each(['empty', 'body'] as const)(
    'deletes the list and outputs deleted: true (response: %s)',
    async (deleteAnswer) => {
      sandbox.setChoices({ deleteAnswer });
      const got = await run('delete', { listId: byId(OWN) });

      expect(got.json(NAME)).toEqual([{ list_id: expect.any(String), deleted: true }]);
      expect(await namesOfLists(sandbox)).not.toContain('German and Dutch software companies');
    },
  );

  it('fails with the access level it needs when the user may only view the list', async () => {
    const got = await run('delete', { listId: byId(SHARED) }, [{}], {
      credentials: userCredential(sandbox, 'colleague'),
    });

    expect(got.error).toMatchObject({
      httpCode: '403',
      message: expect.stringMatching(
        /has no permission for this.*needs access level owner; you have viewer/,
      ),
    });
    expect(await namesOfLists(sandbox)).toContain('Shopify merchants');
  });
});

describe('Transfer Ownership', () => {
  it('makes another user the owner', async () => {
    const got = await run('transferOwnership', { listId: byId(OWN), user: ' user-colleague ' });

    expect(got.json(NAME)).toEqual([{ list_id: OWN, owner_user_id: 'user-colleague' }]);
    expect(await ask(sandbox, 'GET', `lists/${OWN}`, undefined, 'colleague')).toMatchObject({
      access_level: 'owner',
    });
  });

  it('names an unknown user as a possible cause in the error', async () => {
    const got = await run('transferOwnership', { listId: byId(OWN), user: 'nobody' });

    expect(got.error).toMatchObject({
      httpCode: '404',
      message: expect.stringMatching(
        /or the user does not exist \(the service says: .*no such user/,
      ),
    });
  });
});

it('names the missing operation or resource in the error, as after a downgrade', async () => {
  const got = await run('archive');
  const other = await companyList(sandbox, { resource: 'folder', operation: 'get' });

  expect(got.error?.message).toBe('There is no operation "archive"');
  expect(other.error?.message).toBe('There is no resource "folder"');
});
