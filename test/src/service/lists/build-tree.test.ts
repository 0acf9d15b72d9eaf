/** Tests that conditions from the editor become the filter tree that the service expects. */
import { buildTree, type ValueType } from '../../../../src/service/lists/build-tree';
import { readCatalog } from '../../../../src/service/lists/catalog';
import { InputError } from '../../../../src/input/inputs';

const catalog = readCatalog({
  fields: [
    { key: 'size', type: 'number', operators: ['in', 'gte', 'is_empty'] },
    { key: 'country', type: 'text', operators: ['in', 'is'] },
    { key: 'public', type: 'boolean', operators: ['is'] },
  ],
});

/** Returns the value that the node sends for a single condition. */
function sent(field: string, operator: string, value: unknown, valueType: ValueType = 'auto') {
  const groups = [
    { combinator: 'and' as const, conditions: [{ field, operator, value, valueType }] },
  ];
  const tree = buildTree({ combinator: 'and', groups }, catalog);
  const { children } = tree['root'] as { children: Array<Record<string, unknown>> };
  return children[0]?.['value'];
}

it.each<[string, string, unknown, unknown]>([
  ['size', 'gte', '10', 10],
  ['size', 'in', '1, 2,, 3 ', [1, 2, 3]],
  ['size', 'in', [1, '', ' ', '2', null, 3], [1, 2, 3]],
  ['country', 'in', 'Poland, , Japan', ['Poland', 'Japan']],
  ['country', 'is', 'Poland', 'Poland'],
  ['public', 'is', 'true', true],
  ['size', 'is_empty', ' ', undefined],
])('sends the condition %s %s %j with the value %j', (field, operator, value, expected) => {
  expect(sent(field, operator, value)).toEqual(expected);
});

it('requires a value for every operator unless Value Type is Automatic', () => {
  expect(() => sent('size', 'is_empty', ' ', 'text')).toThrow(InputError);
});

it.each([['  '], [''], [[' ', '']], [[]], [null]])('refuses the empty value %j', (value) => {
  expect(() => sent('country', 'is', value)).toThrow(InputError);
});
