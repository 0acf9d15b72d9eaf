import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import type { Row } from '../../../../src/run/responses/rows';
import { createCsvEncoder } from '../../../../src/n8n/files/encoders';

const PLAIN = { columns: [], escapeFormulas: false, byteOrderMark: false };

/** Writes rows in two parts, like two pages, and reads the file back. */
function roundTrip(first: Row[], later: Row[] = [], options = PLAIN): unknown {
  const { head, encode } = createCsvEncoder(first, options);
  return parse(head + encode(first) + encode(later), { columns: true });
}

it('writes known columns first, then those of the first rows, then other_fields', () => {
  const options = { ...PLAIN, columns: ['slug', 'name'] };
  const { head } = createCsvEncoder([{ name: 'A', extra: 1 }, { more: 2 }], options);

  expect(head).toBe('slug,name,extra,more,other_fields\n');
});

it('writes each field of an object to its own column, and an empty object as {}', () => {
  const row = { office: { city: 'Rome', size: { min: 5 } }, nothing: {} };
  const cells = { 'office.city': 'Rome', 'office.size.min': '5', nothing: '{}' };

  expect(roundTrip([row])).toEqual([{ ...cells, other_fields: '' }]);
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
  expect(roundTrip([{ value }])).toEqual([{ value: text, other_fields: '' }]);
});

it('keeps a field as JSON when it first appears after the columns were written', () => {
  const later = { name: 'B', late: [1], also: { deep: null } };

  expect(roundTrip([{ name: 'A' }], [later])).toEqual([
    { name: 'A', other_fields: '' },
    { name: 'B', other_fields: '{"late":[1],"also.deep":null}' },
  ]);
});

it.each([
  ['is named other_fields', { other_fields: 'x', a: 'A' }, { a: 'A' }, '{"other_fields":"x"}'],
  ['leads to the column of another', { a: { b: 1 }, 'a.b': 2 }, { 'a.b': '1' }, '{"a.b":2}'],
])('keeps a field as JSON when it %s', (_what, row, cells, others) => {
  expect(roundTrip([row])).toEqual([{ ...cells, other_fields: others }]);
});

it('escapes formulas, also in headers and lists, when the option is on', () => {
  const options = { ...PLAIN, escapeFormulas: true };
  const rows = [{ '=name': '=1+1', list: ['@a', 'b'], growth: -5 }];

  expect(roundTrip(rows, [], options)).toEqual([
    { "'=name": "'=1+1", list: "'@a; b", growth: '-5', other_fields: '' },
  ]);
});

it('starts with the byte order mark when the option is on', () => {
  expect(createCsvEncoder([{ a: 1 }], { ...PLAIN, byteOrderMark: true }).head).toBe(
    '\uFEFFa,other_fields\n',
  );
});

it.each([
  ['comma', 'name,note,other_fields\n', 'A;B,"1,5\tx",\n'],
  ['semicolon', 'name;note;other_fields\n', '"A;B";1,5\tx;\n'],
  ['tab', 'name\tnote\tother_fields\n', 'A;B\t"1,5\tx"\t\n'],
] as const)('separates columns with a %s when it is chosen', (delimiter, ...lines) => {
  const rows = [{ name: 'A;B', note: '1,5\tx' }];
  const { head, encode } = createCsvEncoder(rows, { ...PLAIN, delimiter });

  expect([head, encode(rows)]).toEqual(lines);
});

it.each<[unknown, string]>([
  ['a\rb', '"a\rb",\n'],
  ['a\nb', '"a\nb",\n'],
  ['a,b', '"a,b",\n'],
  ['a"b', '"a""b",\n'],
])('quotes %j', (value, line) => {
  expect(createCsvEncoder([{ value }], PLAIN).encode([{ value }])).toBe(line);
});

it('writes any texts in any rows so that a CSV parser reads them back', () => {
  const name = fc.string().filter((text) => text !== '__proto__' && text !== 'other_fields');
  const row = fc.dictionary(name, fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), fc.array(row), (first, later) => {
      const columns = new Set(first.flatMap((one) => Object.keys(one)));
      const { head, encode } = createCsvEncoder(first, PLAIN);
      const [header = [], ...lines]: string[][] = parse(head + encode(first) + encode(later));
      expect(header).toEqual([...columns, 'other_fields']);
      const back = lines.map((cells): Row => {
        const others = cells.at(-1) ?? '';
        return {
          ...Object.fromEntries(header.slice(0, -1).map((key, index) => [key, cells[index]])),
          ...(others === '' ? {} : (JSON.parse(others) as Row)),
        };
      });
      const empty = Object.fromEntries([...columns].map((key) => [key, '']));
      expect(back).toEqual([...first, ...later].map((one) => ({ ...empty, ...one })));
    }),
  );
});
