import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import type { Row } from '../../../../src/values/json';
import { createCsvEncoder } from '../../../../src/n8n/files/encoders';

const PLAIN = { columns: [], escapeFormulas: false, byteOrderMark: false };

function roundTrip(rows: Row[], options = PLAIN): unknown {
  const { head, encode } = createCsvEncoder(rows, options);
  return parse(head + encode(rows), { columns: true });
}

it('writes known columns first, then those of the first rows, one per field of an object', () => {
  const options = { ...PLAIN, columns: ['slug', 'name'] };
  const { head } = createCsvEncoder([{ name: 'A', extra: 1 }, { more: 2 }], options);
  expect(head).toBe('slug,name,extra,more\n');

  const row = { office: { city: 'Rome', size: { min: 5 } }, nothing: {} };
  const cells = { 'office.city': 'Rome', 'office.size.min': '5', nothing: '{}' };

  expect(roundTrip([row])).toEqual([cells]);
});

it.each([
  ['text', 'text'],
  [5, '5'],
  [0, '0'],
  [false, 'false'],
  [true, 'true'],
  [null, ''],
  [[], ''],
  [['a.com', 'b.com'], 'a.com; b.com'],
  [[1, 2], '1; 2'],
  [[{ tech_key: 'x' }], '[{"tech_key":"x"}]'],
  [['a', null], '["a",null]'],
  ['a, "b"\nc', 'a, "b"\nc'],
  ['Möbel 家具 🪑', 'Möbel 家具 🪑'],
])('writes %j as %j', (value, text) => {
  expect(roundTrip([{ value }])).toEqual([{ value: text }]);
});

it.each([
  ['appears after the columns were written', { name: 'B', late: [1] }, { name: 'B' }, ['late']],
  ['leads to the column of another', { a: { b: 1 }, 'a.b': 2 }, { 'a.b': '1' }, ['a.b']],
])('leaves out and names a field that %s', (_what, row, cells, names) => {
  const first = Object.hasOwn(row, 'a') ? row : { name: 'A' };
  const { head, encode, leftOut } = createCsvEncoder([first], PLAIN);

  expect(parse(head + encode([row]), { columns: true })).toEqual([cells]);
  expect([...leftOut]).toEqual(names);
});

it('escapes formulas, also in headers and lists, and begins with a mark, when the options are on', () => {
  const rows = [{ '=name': '=1+1', list: ['@a', 'b'], growth: -5 }];
  const cells = { "'=name": "'=1+1", list: "'@a; b", growth: '-5' };

  expect(roundTrip(rows, { ...PLAIN, escapeFormulas: true })).toEqual([cells]);
  expect(createCsvEncoder([{ a: 1 }], { ...PLAIN, byteOrderMark: true }).head).toBe('\uFEFFa\n');
});

it.each([
  ['comma', 'name,note\n', 'A;B,"1,5\tx"\n'],
  ['semicolon', 'name;note\n', '"A;B";1,5\tx\n'],
  ['tab', 'name\tnote\n', 'A;B\t"1,5\tx"\n'],
] as const)('separates columns with a %s when it is chosen', (delimiter, ...lines) => {
  const rows = [{ name: 'A;B', note: '1,5\tx' }];
  const { head, encode } = createCsvEncoder(rows, { ...PLAIN, delimiter });

  expect([head, encode(rows)]).toEqual(lines);
});

it('writes any texts in any rows so that a CSV parser reads them back', () => {
  const name = fc.string().filter((text) => text !== '__proto__');
  const row = fc
    .dictionary(name, fc.string({ unit: 'binary' }))
    .map((fields): Row => ({ id: 'x', ...fields }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), fc.array(row), (first, later) => {
      const columns = [...new Set(first.flatMap((one) => Object.keys(one)))];
      const { head, encode, leftOut } = createCsvEncoder(first, PLAIN);
      const [header = [], ...lines]: string[][] = parse(head + encode(first) + encode(later));
      const cellsOf = (one: Row) => columns.map((key) => (Object.hasOwn(one, key) ? one[key] : ''));
      const others = later.flatMap((one) => Object.keys(one));

      expect(header).toEqual(columns);
      expect(lines).toEqual([...first, ...later].map(cellsOf));
      expect(leftOut).toEqual(new Set(others.filter((key) => !columns.includes(key))));
    }),
  );
});
