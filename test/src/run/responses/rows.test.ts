import fc from 'fast-check';

import { InvalidResponseError } from '../../../../src/client/errors';
import { parseJson } from '../../../../src/client/response';
import { parseCount } from '../../../../src/client/values';
import {
  createIdReader,
  toRowId,
  findObject,
  readRowWithAnyField,
} from '../../../../src/run/responses/rows';

describe('findObject', () => {
  const list = { list_id: 'l1', name: 'A' };

  it.each<[string, unknown, unknown]>([
    ['the object under data', { data: list }, list],
    ['the object under its name with the fields next to it', { list, a: [] }, { ...list, a: [] }],
  ])('returns %s', (_where, response, row) => {
    expect(findObject(response, ['list_id', 'name'])).toEqual(row);
  });

  it.each<[string, object]>([
    ['it has the fields', list],
    ['it has only one of the fields', { name: 'answer' }],
    ['no object has the fields', { ok: true }],
    ['the object has an unusual name', { updated_by: { name: 'Jo' } }],
    ['the object is nested too deeply', { data: { list } }],
  ])('returns the whole response if %s', (_when, response) => {
    expect(findObject(response, ['list_id', 'name'])).toEqual(response);
  });

  it.each([null, undefined, [], [list], 'text', 7])('throws for the non-object %j', (answer) => {
    expect(() => findObject(answer, ['list_id'])).toThrow(InvalidResponseError);
  });
});

describe('readRowWithAnyField', () => {
  it.each([{ list_id: 7 }, { name: 'A' }, { data: { name: 'A' } }])(
    'returns the object in %j',
    (json) => {
      expect(readRowWithAnyField(json, ['list_id', 'name'])).toEqual(
        'data' in json ? json.data : json,
      );
    },
  );

  it.each([{}, { error: 'no' }, { data: { error: 'no' } }])(
    'throws for %j, which has none of the fields',
    (json) => {
      expect(() => readRowWithAnyField(json, ['list_id', 'name'])).toThrow(
        'The response is not what the node requested: it has none of the fields list_id, name',
      );
    },
  );
});

it.each([-1, 1.5, 2 ** 53, NaN, '3', null, undefined, true, [3], { total: 3 }])(
  'does not read %p as a count',
  (value) => {
    expect(parseCount(value)).toBeUndefined();
  },
);

it('reads a count of at least the minimum', () => {
  expect([parseCount(0), parseCount(0, 1), parseCount(1, 1)]).toEqual([0, undefined, 1]);
});

const NOBODY = ['', '  ', 0, null, undefined, true, 2 ** 53, Number.NaN, 1e300, {}, []];

it.each(NOBODY)('does not use %p as an ID, but reads the next field', (value) => {
  expect(toRowId(value)).toBeUndefined();
  expect(createIdReader(['slug', 'id'])({ slug: value, id: 7 })).toBe('id:7');
});

it('parses an integer as text when it is too large for a JavaScript number', () => {
  const number = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
  fc.assert(
    fc.property(number, fc.boolean(), fc.string(), (value, negative, text) => {
      const digits = `${negative ? '-' : ''}${String(value)}`;
      const inside = JSON.stringify(`${text}${digits}\\" ${digits}`);
      const json = `{"id":${digits},"rows":[ ${digits},1.5e300,-12,${inside}]}`;

      expect(parseJson(json)).toEqual({
        id: digits,
        rows: [digits, 1.5e300, -12, JSON.parse(inside)],
      });
    }),
  );
});
