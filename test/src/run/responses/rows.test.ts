import fc from 'fast-check';

import { InvalidResponseError } from '../../../../src/client/errors';
import { parseJson } from '../../../../src/client/response';
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

describe('the rows of an answer', () => {
  it('are the list under the key', () => {
    expect(readArrayField({ data: [1, 2], other: [] }, 'data')).toEqual([1, 2]);
    expect(readArrayField({ data: null }, 'data')).toEqual([]);
  });

  it.each([undefined, null, [], 'text', 7, {}, { data: {} }, { results: [] }])(
    'are not in %j',
    (json) => {
      expect(() => readArrayField(json, 'data')).toThrow(InvalidResponseError);
      expect(() => readArrayField(json, 'data')).toThrow(/"data"/);
    },
  );
});

describe('the object of an answer', () => {
  const list = { list_id: 'l1', name: 'A' };

  it.each<[string, unknown, unknown]>([
    ['alone', list, list],
    ['under data', { data: list }, list],
    [
      'under its name, with more beside it',
      { list, permissions: [] },
      { ...list, permissions: [] },
    ],
    ['nowhere', { ok: true }, { ok: true }],
    ['under no usual name', { updated_by: { name: 'Jo' } }, { updated_by: { name: 'Jo' } }],
    ['too deep', { data: { list } }, { data: { list } }],
    ['with fields of the same name around it', { name: 'answer' }, { name: 'answer' }],
  ])('%s', (_where, answer, row) => {
    expect(findObject(answer, ['list_id', 'name'])).toEqual(row);
  });

  it.each([null, undefined, [], [list], 'text', 7])('%j is no object', (answer) => {
    expect(() => findObject(answer, ['list_id'])).toThrow(InvalidResponseError);
  });
});

describe('an object of a known kind', () => {
  it.each([{ list_id: 7 }, { name: 'A' }, { data: { name: 'A' } }])('is in %j', (json) => {
    expect(readRowWithAnyField(json, ['list_id', 'name'])).toEqual(
      'data' in json ? json.data : json,
    );
  });

  it.each([{}, { error: 'no' }, { data: { error: 'no' } }])('is not in %j', (json) => {
    expect(() => readRowWithAnyField(json, ['list_id', 'name'])).toThrow(
      'The response is not what the node requested: it has none of the fields list_id, name',
    );
  });
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
])('the count %p is %p', (value, count) => {
  expect(parseCount(value)).toBe(count);
});

it('a count below the minimum is none', () => {
  expect([parseCount(0, 1), parseCount('0', 1), parseCount(1, 1)]).toEqual([
    undefined,
    undefined,
    1,
  ]);
});

it('a row has all of its IDs, the most reliable one first', () => {
  const idsOf = createIdsReader(['slug', 'id', 'name']);
  expect(idsOf({ name: ' A ', id: 7, slug: '0' })).toEqual(['id:7', 'name:A']);
  expect(idsOf({})).toEqual([]);
});

const NOBODY = ['', '  ', 0, null, undefined, true, 2 ** 53, Number.NaN, 1e300, {}, []];

it.each(NOBODY)('%p identifies nothing, and the next field decides', (value) => {
  expect(toRowId(value)).toBeUndefined();
  expect(createIdReader(['slug', 'id'])({ slug: value, id: 7 })).toBe('id:7');
});

it('a whole number that JavaScript cannot hold comes as the text that it was', () => {
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
      const pages = readPages(
        {
          pageSize: 10,
          wanted: undefined,
          idOf: createIdReader(['slug', 'id']),
          fetch: async ({ page, limit }) => {
            const data = rows.slice((page - 1) * limit, page * limit);
            const pagination = { limit, total_results: rows.length };
            return await Promise.resolve(readPage(parseJson(text({ data, pagination }))));
          },
        },
        {},
      );
      const came: unknown[] = [];
      for await (const page of pages) for (const row of page.rows) came.push(row['name']);

      // Of 64 bits the same number is the same company.
      const wanted = rows.filter(
        ({ id }, at) => typeof id !== 'bigint' || kinds.indexOf(id) >= at - (at % 10),
      );
      expect(came).toEqual(wanted.map(({ name }) => name));
    }),
  );
});
