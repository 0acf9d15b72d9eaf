/** Company List: dropdowns for lists, permissions, fields and operators in the editor. */
import type { INodeParameters } from 'n8n-workflow';

import { everythingOf } from '../../src/client/support/client';
import { json, TestService } from '../../src/client/support/service';
import { listSearch, loadOptions } from '../harness';
import { credentialFor, useSandbox, userCredential } from '../shared/service';
import { ask, byId } from '../shared/nodes';
import { INVISIBLE, OWN, SHARED, TYPE } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const open = (parameters: INodeParameters = {}, credentials = userCredential(sandbox)) => ({
  type: TYPE,
  parameters,
  credentials,
});

describe('the List field', () => {
  const search = async (filter?: string, credentials = userCredential(sandbox)) =>
    await listSearch(open({}, credentials), 'searchLists', filter);

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

  it('says that a user key is needed when the credential has an organization key', async () => {
    const failure = await search('', userCredential(sandbox, 'organization')).catch(
      (error: unknown) => error,
    );

    expect(failure).toMatchObject({
      message: expect.stringMatching(/This operation needs a user key/),
    });
    expect(everythingOf(failure)).not.toContain(sandbox.keys.organization);
  });
});

describe('the Permission field', () => {
  it('shows who has access to the chosen list', async () => {
    await ask(sandbox, 'POST', `lists/${SHARED}/permissions`, {
      access_level: 'editor',
      user_id: 'user-colleague',
    });
    const parameters = { resource: 'permission', operation: 'revoke', listId: byId(SHARED) };

    await expect(listSearch(open(parameters), 'searchPermissions')).resolves.toEqual({
      results: [
        { name: 'user-colleague (editor)', value: '2' },
        { name: 'Whole organization (viewer)', value: '1' },
      ],
    });
    await expect(listSearch(open(parameters), 'searchPermissions', 'whole')).resolves.toEqual({
      results: [{ name: 'Whole organization (viewer)', value: '1' }],
    });
  });

  it.each([
    ['', /No list is chosen/],
    [INVISIBLE, /does not exist, or this user may not see it/],
  ])('fails with a reason when the list is %j', async (list, message) => {
    const parameters = { resource: 'permission', operation: 'revoke', listId: byId(list) };

    await expect(listSearch(open(parameters), 'searchPermissions')).rejects.toThrow(message);
  });
});

describe('the fields of a condition', () => {
  const at = (field: string) => ({
    ...open({
      resource: 'definition',
      operation: 'replace',
      groups: { group: [{ conditions: { condition: [{ field: 'name' }, { field }] } }] },
    }),
    path: 'parameters.groups.group[0].conditions.condition[1].operator',
  });
  const operatorsOf = async (field: string) =>
    (await loadOptions(at(field), 'getFilterOperators')).map(({ value }) => value);

  it('come from the live catalog', async () => {
    const options = await loadOptions(open(), 'getFilterFields');

    expect(options).toHaveLength(14);
    expect(options).toContainEqual({
      name: 'Number of technologies',
      value: 'tech_count',
      description: 'number',
    });
  });

  it('determine which operators are offered', async () => {
    expect(await operatorsOf('tech_count')).toEqual(['equals', 'gte', 'lte', 'between']);
    expect(await operatorsOf('has_partner_page')).toEqual(['equals']);
  });

  const choicesOf = async (field: string, credentials = userCredential(sandbox)) =>
    await loadOptions({ ...at(field), credentials }, 'getFilterValues');

  it('offer the values that the catalog lists', async () => {
    const options = await choicesOf('partnership_type');

    expect(options).toEqual(
      ['technology', 'channel', 'generic'].map((value) => ({ name: value, value })),
    );
    expect(sandbox.report().charged).toBe(0);
  });

  it.each(['tech_count', 'name', '', '={{ $json.field }}', 'no_such_field'])(
    'offer no values for a field without listed values: %j',
    async (field) => {
      expect(await choicesOf(field)).toEqual([]);
    },
  );

  it('show the labels of values when the catalog has them', async () => {
    const options = [{ value: 'de', label: 'Germany' }, { id: 'fr', name: 'France' }, 'it'];
    const service = await TestService.start(json({ fields: [{ key: 'country', options }] }));

    expect(await choicesOf('country', credentialFor(service.baseUrl) as never)).toEqual([
      { name: 'Germany', value: 'de' },
      { name: 'France', value: 'fr' },
      { name: 'it', value: 'it' },
    ]);
  });

  it.each(['', '={{ $json.field }}', 'no_such_field'])(
    'offer operators of all kinds, each once, when the field is %j',
    async (field) => {
      const values = await operatorsOf(field);

      expect(values).toEqual(expect.arrayContaining(['between', 'contains', 'not_in']));
      expect(new Set(values).size).toBe(values.length);
    },
  );
});
