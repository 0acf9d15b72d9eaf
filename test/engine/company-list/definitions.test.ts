/** Company List, definitions: from the editor or as JSON, checked against the live catalog. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { json, type TestService } from '../../src/client/support/service';
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
const previewCount = async (
  definition: string,
  items: readonly IDataObject[] = [{}],
  at: Sandbox | TestService = sandbox,
) => {
  const parameters = { resource: 'definition', operation: 'previewCount', definitionMode: 'json' };
  return await companyList(at, { ...parameters, definition }, items);
};
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

  it.each<[INodeParameters[], RegExp]>([
    [[], /The list has no conditions/],
    [[{ field: '', operator: 'equals', value: 'x' }], /Condition 1 has no field/],
    [[{ field: 'industry', operator: '', value: 'x' }], /no operator \(field "industry"\)/],
    [
      [{ field: 'industry', operator: 'in', choices: ['Retail'], value: 'Software' }],
      /both choices and a value \(field "industry"\) Clear one of them/,
    ],
  ])('are refused before anything is sent: %j', async (conditions, words) => {
    const { error } = await replaceWith(...conditions);

    expect([error?.message, error?.description].join(' ')).toMatch(words);
    expect(sandbox.report().requests).toBe(0);
  });

  it.each<[INodeParameters, RegExp]>([
    [{ field: 'industry', operator: 'in', choices: ['Sofware'] }, /no value "Sofware".*Software/],
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
    const run = await previewCount(asJson.definition, [{}], service);

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

describe('Preview Count', () => {
  it.each<[unknown, string]>([
    [{ count: 10_000, capped: true }, '10,000+'],
    [{ count: 9999, capped: false }, '9,999'],
    [{ data: { count: 10_000, capped: false } }, '10,000'],
    [{ capped: true }, '10,000+'],
    [{ count: '1234', capped: false }, '1,234'],
  ])('for the response %j, outputs the count as the text %s', async (answer, text) => {
    const service = await catalogAnd(json(answer));
    const run = await previewCount('{ "any": "tree" }', [{}], service);

    expect(run.json(NAME)).toMatchObject([{ count_text: text }]);
    expect(service.received.map(({ body }) => body)).toEqual([
      '',
      '{"any":"tree","registry_version":"r7"}',
    ]);
  });

  it('reads the catalog once for several items', async () => {
    const items = ['Software', 'Retail', 'Media'].map((value) => ({
      tree: { root: { field: 'industry', operator: 'equals', value } },
    }));
    const run = await previewCount('={{ $json.tree }}', items);
    const paths = sentTo(sandbox).map(({ path }) => path);

    expect(run.traced()).toEqual([0, 1, 2]);
    expect(new Set(run.json(NAME).map(({ count }) => count)).size).toBeGreaterThan(1);
    expect(paths.filter((path) => path.endsWith('filter-fields'))).toHaveLength(1);
    expect(paths.filter((path) => path.endsWith('preview-count'))).toHaveLength(3);
  });

  it.each([
    ['', /The list has no conditions/],
    ['{}', /The list has no conditions/],
    ['{ "root": ', /"Definition" is not valid JSON/],
    ['[]', /The list has no conditions/],
    ['7', /"Definition" is valid JSON but not an object/],
  ])('refuses %j before anything is sent', async (definition, message) => {
    const run = await previewCount(definition);

    expect(run.error?.message).toMatch(message);
    expect(sandbox.report().requests).toBe(0);
  });
});
