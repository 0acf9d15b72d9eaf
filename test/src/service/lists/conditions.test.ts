/**
 * Tests that conditions are found anywhere in a
 * definition, and that differences are described in words.
 */
import fc from 'fast-check';

import {
  diffDefinitions,
  collectConditions,
  formatCondition,
} from '../../../../src/service/lists/conditions';
import type { Row } from '../../../../src/run/responses/rows';

const condition = (field: string, value: unknown) => ({ field, operator: 'equals', value });

it.each<[string, unknown]>([
  ['in groups', { root: { op: 'and', children: [condition('a', 1), condition('b', 2)] } }],
  ['in a bare list', [condition('a', 1), condition('b', 2)]],
  ['by name', { all: { first: condition('a', 1), second: condition('b', 2) } }],
  [
    'with other names',
    {
      combinator: 'and',
      rules: [
        { key: 'a', op: 'equals', values: 1 },
        { attribute: 'b', comparator: 'equals', value: 2 },
      ],
    },
  ],
])('finds conditions %s', (_how, definition) => {
  expect(collectConditions(definition).map(formatCondition)).toEqual(['a equals 1', 'b equals 2']);
});

it('finds no conditions in a definition without any', () => {
  expect(collectConditions({ op: 'and', key: 'group 1', children: [] })).toEqual([]);
  expect(collectConditions({ field: 7, operator: 'equals' })).toEqual([]);
});

it('finds conditions at any depth, and accepts any value', () => {
  let deep: unknown = condition('a', 1);
  for (let level = 0; level < 50_000; level += 1) deep = { children: [deep] };

  expect(collectConditions(deep)).toHaveLength(1);
  fc.assert(
    fc.property(fc.anything(), (definition) => {
      expect(Array.isArray(collectConditions(definition))).toBe(true);
    }),
  );
});

const tree = (...children: unknown[]): Row => ({ root: { op: 'and', children } });
const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((field) => condition(field, 1));

it.each<[Row, Row, string]>([
  [tree(a, b), tree(b, c), 'added c equals 1; removed a equals 1'],
  [tree(a), tree(a, a), 'added a equals 1'],
  [tree(), tree(a, b, c, d, e), 'added a equals 1, b equals 1, c equals 1 and 2 more'],
  [tree(a, b), tree(b, a), "other values in the definition's root"],
  [{ ...tree(a), version: 1 }, { ...tree(a), version: 2 }, 'only the version'],
  [
    { filters: 'x' },
    { filters: 'y', more: 1 },
    "other values in the definition's filters and more",
  ],
])('describes the changes of a definition in words (case %#)', (earlier, later, text) => {
  expect(diffDefinitions(earlier, later).text).toBe(text);
});
