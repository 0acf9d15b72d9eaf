import { InvalidResponseError } from '../../../../src/client/errors';
import { parseCount } from '../../../../src/values/json';
import {
  createIdReader,
  toRowId,
  findObject,
  readRowWithAnyField,
} from '../../../../src/run/responses/rows';

const list = { list_id: 'l1', name: 'A' };
const FIELDS = ['list_id', 'name'];

it.each<[string, unknown, unknown]>([
  ['the object under data', { data: list }, list],
  ['the object under its name with the fields next to it', { list, a: [] }, { ...list, a: [] }],
  ['the whole response if it has the fields', list, list],
  ...[{ name: 'answer' }, { ok: true }, { updated_by: { name: 'Jo' } }, { data: { list } }].map(
    (json): [string, unknown, unknown] => ['the whole response otherwise', json, json],
  ),
])('finds %s: %j', (_where, response, row) => {
  expect(findObject(response, FIELDS)).toEqual(row);
});

it.each([null, undefined, [], [list], 'text', 7])('finds no object in %j', (answer) => {
  expect(() => findObject(answer, FIELDS)).toThrow(InvalidResponseError);
});

it('reads a row only if it has any of the fields', () => {
  for (const row of [{ list_id: 7 }, { name: 'A' }]) {
    expect(readRowWithAnyField(row, FIELDS)).toEqual(row);
    expect(readRowWithAnyField({ data: row }, FIELDS)).toEqual(row);
  }
  for (const json of [{}, { error: 'no' }, { data: { error: 'no' } }]) {
    expect(() => readRowWithAnyField(json, FIELDS)).toThrow(
      'The response is not what the node requested: it has none of the fields list_id, name',
    );
  }
});

it('reads a count of at least the minimum, and nothing else', () => {
  expect([parseCount(0), parseCount(0, 1), parseCount(1, 1)]).toEqual([0, undefined, 1]);
  for (const value of [-1, 1.5, 2 ** 53, NaN, '3', null, undefined, true, [3], { total: 3 }]) {
    expect([value, parseCount(value)]).toEqual([value, undefined]);
  }
});

const NOBODY = ['', '  ', 0, null, undefined, true, 2 ** 53, Number.NaN, 1e300, {}, []];

it.each(NOBODY)('does not use %p as an ID, but reads the next field', (value) => {
  expect(toRowId(value)).toBeUndefined();
  expect(createIdReader(['slug', 'id'])({ slug: value, id: 7 })).toBe('id:7');
});
