/** Company List: conditions built in the editor, and invalid conditions from any source. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { ON_ERROR, sentTo, useSandbox } from '../shared/service';
import { ask, byId, type Change } from '../shared/nodes';
import { catalogAnd, companyList, NAME, OWN, SHARED } from './company-list';
import { errorItemOf } from '../shared/error-items';

const sandbox = useSandbox({ companies: 500 });

/** Builds condition groups in the form in which the editor stores them. */
function groups(...given: Array<{ combinator?: string; conditions: INodeParameters[] }>) {
  return {
    group: given.map(({ combinator = 'and', conditions }) => ({
      combinator,
      conditions: { condition: conditions },
    })),
  };
}

const replace = async (
  parameters: INodeParameters,
  items: readonly IDataObject[] = [{}],
  change: Change = {},
) =>
  await companyList(
    sandbox,
    { resource: 'definition', operation: 'replace', listId: byId(OWN), ...parameters },
    items,
    change,
  );
const replaceWith = async (...conditions: INodeParameters[]) =>
  await replace({ groups: groups({ conditions }) });
const savedTree = async (id = OWN) =>
  ((await ask(sandbox, 'GET', `lists/${id}/definition`)) as { root: unknown }).root;
const puts = () => sentTo(sandbox).filter(({ method }) => method === 'PUT');

describe('conditions from the editor', () => {
  it('become a tree when there are several groups', async () => {
    const run = await replace({
      combinator: 'or',
      groups: groups(
        {
          conditions: [
            { field: 'industry', operator: 'in', value: 'Software, Retail' },
            { field: 'tech_count', operator: 'gte', value: '5' },
          ],
        },
        {
          combinator: 'or',
          conditions: [{ field: 'has_partner_page', operator: 'equals', value: 'true' }],
        },
      ),
    });

    expect(run.error?.message).toBeUndefined();
    expect(await savedTree()).toEqual({
      op: 'or',
      children: [
        {
          op: 'and',
          children: [
            { field: 'industry', operator: 'in', value: ['Software', 'Retail'] },
            { field: 'tech_count', operator: 'gte', value: 5 },
          ],
        },
        {
          op: 'or',
          children: [{ field: 'has_partner_page', operator: 'equals', value: true }],
        },
      ],
    });
  });

  it.each<[INodeParameters, unknown]>([
    [{ field: 'founded_year', operator: 'between', value: [1999, 2010] }, [1999, 2010]],
    [{ field: 'name', operator: 'contains', value: ' 2, Inc. ' }, '2, Inc.'],
    [{ field: 'name', operator: 'contains', value: '360' }, '360'],
    [{ field: 'name', operator: 'in', value: 'one', valueType: 'list' }, ['one']],
    [{ field: 'has_partner_page', operator: 'equals', value: 'No' }, false],
    [{ operator: 'in', choices: ['Software', 'Retail'] }, ['Software', 'Retail']],
    [{ operator: 'in', choices: ['Software'] }, ['Software']],
    [{ operator: 'equals', choices: ['Software'], value: ' ' }, 'Software'],
    [{ operator: 'in', choices: '={{ ["Software", "Retail"] }}' }, ['Software', 'Retail']],
    [{ operator: 'in', choices: [], value: 'Retail' }, ['Retail']],
    [{ field: 'name', operator: 'in', choices: ['North, Inc.'] }, ['North, Inc.']],
    [{ operator: 'in', choices: ['Retail'], valueType: 'list' }, ['Retail']],
  ])('are converted from %j to the value %j', async (condition, value) => {
    const run = await replaceWith({ field: 'industry', ...condition });

    expect(run.error?.message).toBeUndefined();
    expect(await savedTree()).toMatchObject({ op: 'and', children: [{ value }] });
  });

  it('are refused when a chosen value is not in the catalog', async () => {
    const run = await replaceWith({ field: 'industry', operator: 'in', choices: ['Sofware'] });

    expect(run.error?.message).toMatch(/no value "Sofware".*Software/);
    expect(puts()).toEqual([]);
  });

  it('are refused when a value is both chosen and typed', async () => {
    const condition = { field: 'industry', operator: 'in', choices: ['Retail'], value: 'Software' };
    const run = await replaceWith(condition);

    expect(run.error?.message).toMatch(/both choices and a value \(field "industry"\)/);
    expect(run.error?.description).toMatch(/Clear one of them/);
    expect(puts()).toEqual([]);
  });

  it('are evaluated for each item', async () => {
    const run = await replace(
      {
        listId: byId('={{ $json.list }}'),
        groups: groups({
          conditions: [{ field: 'country', operator: 'equals', value: '={{ $json.country }}' }],
        }),
      },
      [
        { list: OWN, country: 'Germany' },
        { list: SHARED, country: 'France' },
      ],
    );

    expect(run.error?.message).toBeUndefined();
    expect([await savedTree(OWN), await savedTree(SHARED)]).toMatchObject([
      { children: [{ value: 'Germany' }] },
      { children: [{ value: 'France' }] },
    ]);
  });

  it.each<[INodeParameters, RegExp]>([
    [{ field: '', operator: 'equals', value: 'x' }, /Condition 1 has no field/],
    [{ field: 'industry', operator: '', value: 'x' }, /no operator \(field "industry"\)/],
  ])('are refused before anything is sent: %j', async (condition, message) => {
    const run = await replaceWith(condition);

    expect(run.error?.message).toMatch(message);
    expect(sandbox.report().requests).toBe(0);
  });

  it.each<[INodeParameters, RegExp]>([
    [{ field: 'industry', operator: 'in', value: ' , ' }, /"industry in" has no value/],
    [{ field: 'tech_count', operator: 'gte', value: 'many' }, /needs a number, not "many"/],
    [{ field: 'has_partner_page', operator: 'equals', value: '1' }, /needs true or false, not "1"/],
  ])('are refused when the value is invalid: %j', async (condition, message) => {
    const run = await replaceWith(condition);

    expect(run.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringMatching(message),
    });
    expect(puts()).toEqual([]);
  });

  it('are refused before anything is sent when there are none', async () => {
    const run = await replace({ groups: groups({ conditions: [] }) });

    expect(run.error?.message).toMatch(/The list has no conditions/);
    expect(sandbox.report().requests).toBe(0);
  });
});

const MISTYPED: Array<[object, RegExp, RegExp]> = [
  [
    { field: 'industri', operator: 'equals', value: 'Software' },
    /no field "industri" \(in industri equals "Software"\)\. Did you mean "industry"\?/,
    /Use one of: name, primary_domain, industry/,
  ],
  [
    { field: 'tech_count', operator: 'gt', value: 5 },
    /The field "tech_count" has no operator "gt" .*Did you mean "gte"/,
    /Use one of: equals, gte, lte, between/,
  ],
  [
    { field: 'industry', operator: 'equals', value: 'Softwar' },
    /The field "industry" has no value "Softwar" .*Did you mean "Software"/,
    /Use one of: .*Software/,
  ],
  // The operator belongs to another field. The error does not mention the value, which cannot be
  // corrected before the operator.
  [
    { field: 'founded_year', operator: 'contains', value: 'Germany' },
    /The field "founded_year" has no operator "contains"/,
    /Use one of: equals, gte, lte, between/,
  ],
];

describe.each(MISTYPED)('a mistyped condition: %j', (condition, message, hint) => {
  it.each<[string, INodeParameters]>([
    [
      'nested in JSON',
      {
        definitionMode: 'json',
        definition: JSON.stringify({
          root: { op: 'or', children: [{ op: 'and', children: [condition] }] },
        }),
      },
    ],
    ['entered in the editor', { groups: groups({ conditions: [condition as INodeParameters] }) }],
  ])('is refused before the definition is sent when it is %s', async (_where, parameters) => {
    const run = await replace(parameters);

    expect(run.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringMatching(message),
      description: expect.stringMatching(hint),
    });
    expect(sentTo(sandbox).map(({ path }) => path)).toEqual(['/v1/lists/filter-fields']);
  });
});

describe.each(ON_ERROR)('when one of three items is mistyped, On Error: %s', (onError) => {
  it('replaces the other definitions, or none with Stop', async () => {
    const lists = [OWN, SHARED, 'lst_000004'];
    const fields = ['country', 'contry', 'country'];
    const run = await replace(
      {
        listId: byId('={{ $json.list }}'),
        groups: groups({
          conditions: [{ field: '={{ $json.field }}', operator: 'equals', value: 'Germany' }],
        }),
      },
      lists.map((list, index) => ({ list, field: fields[index] ?? '' })),
      { onError },
    );
    const message = expect.stringContaining('Did you mean "country"?') as unknown;

    if (onError === 'stopWorkflow') {
      expect(run.error).toMatchObject({ message, context: { itemIndex: 1 } });
      expect(puts()).toEqual([]);
      return;
    }
    expect(
      puts()
        .map(({ path }) => path)
        .sort(),
    ).toEqual([`/v1/lists/${OWN}/definition`, '/v1/lists/lst_000004/definition']);
    const failed = run.json(NAME, onError === 'continueErrorOutput' ? 1 : 0);
    expect(failed.find((one) => 'error' in one)).toMatchObject(
      errorItemOf('invalid_input', message),
    );
  });
});

describe('a definition that is not checked against the catalog', () => {
  const TREE = { where: [{ field: 'anything', operator: 'goes', value: 1 }] };
  const asJson = { definitionMode: 'json', definition: JSON.stringify(TREE) };

  it.each<[string, unknown]>([
    ['has no fields', { registry_version: 'r7', fields: [] }],
    ['lists no operators', { registry_version: 'r7', fields: [{ name: 'anything' }] }],
  ])('is sent when the catalog %s', async (_what, catalog) => {
    const service = await catalogAnd(json({ count: 1 }), catalog);
    const run = await companyList(service, {
      resource: 'definition',
      operation: 'previewCount',
      ...asJson,
    });

    expect(run.error?.message).toBeUndefined();
    expect(JSON.parse(service.received[1]?.body ?? '')).toEqual({
      ...TREE,
      registry_version: 'r7',
    });
  });

  it('is sent when Check Against Catalog is off', async () => {
    const run = await replace({ ...asJson, options: { checkDefinition: false } });

    // The service decides whether the definition is valid.
    expect(run.error).toMatchObject({ httpCode: '422' });
    // The node sends the version that the definition is based on. A strict service may reject this
    // field, so the node then sends the definition without it.
    expect(puts()).toHaveLength(2);
  });
});
