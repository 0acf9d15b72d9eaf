import fc from 'fast-check';

import { InvalidResponseError } from '../../../../src/client/errors';
import { parseJson } from '../../../../src/client/response';
import { collectListing } from '../../../../src/run/listing/listing';
import { readPage } from '../../../../src/run/responses/page';
import {
  createIdReader,
  createIdsReader,
  toRowId,
  findObject,
  parseCount,
  readArrayField,
  readRowWithAnyField,
} from '../../../../src/run/responses/rows';
import { readPages } from '../listing/support';

describe('readArrayField', () => {
  it('returns the list under the key, and an empty list for null', () => {
    expect(readArrayField({ data: [1, 2], other: [] }, 'data')).toEqual([1, 2]);
    expect(readArrayField({ data: null }, 'data')).toEqual([]);
  });

  it.each([undefined, null, [], 'text', 7, {}, { data: {} }, { results: [] }])(
    'throws an error that names the key for %j',
    (json) => {
      expect(() => readArrayField(json, 'data')).toThrow(InvalidResponseError);
      expect(() => readArrayField(json, 'data')).toThrow(/"data"/);
    },
  );
});

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

it.each<[value: unknown, count: number | undefined]>([
  [0, 0],
  [1200, 1200],
  ['1,200', 1200],
  ['1,234,567', 1_234_567],
  [' 150 ', 150],
  ...['', ' ', '1,20', '12,', '1.5', '-3', '12 rows', 'a12', '99999999999999999999'].map(
    (text): [string, undefined] => [text, undefined],
  ),
  ...[-1, 1.5, 2 ** 53, Number.NaN, null, undefined, true, [3], { total: 3 }].map(
    (value): [unknown, undefined] => [value, undefined],
  ),
])('parses the count %p as %p', (value, count) => {
  expect(parseCount(value)).toBe(count);
});

it('returns undefined for a count below the minimum', () => {
  expect([parseCount(0, 1), parseCount('0', 1), parseCount(1, 1)]).toEqual([
    undefined,
    undefined,
    1,
  ]);
});

it('reads all usable IDs of a row in the order of the fields', () => {
  const idsOf = createIdsReader(['slug', 'id', 'name']);
  expect(idsOf({ name: ' A ', id: 7, slug: '0' })).toEqual(['id:7', 'name:A']);
  expect(idsOf({})).toEqual([]);
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

it('returns each row once when companies share an empty or unsafe id', async () => {
  const ids = fc.constantFrom<unknown>('', 0, 12345678901234567890n, 'own');
  await fc.assert(
    fc.asyncProperty(fc.array(ids, { maxLength: 40 }), async (kinds) => {
      const rows = kinds.map((kind, at) => ({
        slug: kind === 'own' ? `company-${String(at)}` : '',
        id: kind,
        name: `Company ${String(at)}`,
      }));
      const text = (page: unknown) =>
        JSON.stringify(page, (_name, value: unknown) =>
          typeof value === 'bigint' ? `#${String(value)}#` : value,
        ).replace(/"#(\d+)#"/g, '$1');
      const pages = readPages({
        pageSize: 10,
        wanted: undefined,
        idOf: createIdReader(['slug', 'id']),
        fetch: async ({ page, limit }) => {
          const data = rows.slice((page - 1) * limit, page * limit);
          const pagination = { limit, total_results: rows.length };
          return await Promise.resolve(readPage(parseJson(text({ data, pagination }))));
        },
      });
      const { rows: received } = await collectListing(pages);

      // A repeated 64-bit ID is the same company, so the node drops its row on a later page.
      const wanted = rows.filter(
        ({ id }, at) => typeof id !== 'bigint' || kinds.indexOf(id) >= at - (at % 10),
      );
      const names = received.map((row) => row['name']);
      expect(names).toEqual(wanted.map(({ name }) => name));
    }),
  );
});
