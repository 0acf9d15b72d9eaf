import { rowsAnywhere } from '../../../../src/run/answers/rows-anywhere';
import { readPageAnywhere } from '../../../../src/run/answers/page';

const rows = [{ id: 1 }, { id: 2 }];
const EXPECTED = ['members', 'data'];

describe('rows are found', () => {
  it.each<[string, unknown]>([
    ['in a bare array', rows],
    ['under the expected name', { members: rows }],
    ['under another expected name', { data: rows }],
    ['under any other name', { whatever: rows }],
    ['deeper', { result: { members: rows } }],
    ['much deeper', { a: { b: { c: { members: rows } } } }],
    ['by their name, before other lists', { tiers: [{ tier: 'high' }], members: rows }],
    ['by their name, though another list is nearer', { notes: [{ a: 1 }], result: { data: rows } }],
    [
      'by their name, before what is counted beside them',
      { members: rows, tiers: { data: [{ a: 1 }] }, countries: { data: [{ a: 2 }] } },
    ],
    ['before a list of words', { tiers: ['high', 'medium'], companies: rows }],
    ['in a list of lists', { members: [[{ id: 1 }], [{ id: 2 }]] }],
    ['in lists that hold nothing else', { members: [[[[[rows]]]]] }],
    ['in a bare list of lists', [rows]],
    ['in an envelope that stands in lists', [[{ data: { members: rows, limit: 2 } }]]],
    ['in an answer that stands in lists', [[[{ members: rows, total_count: 2 }]]]],
  ])('%s', (_where, json) => {
    expect(rowsAnywhere(json, EXPECTED).rows).toEqual(rows);
  });

  it.each([[[]], [{ members: [] }], [{ result: { data: [] } }], [{ data: [], other: [{}] }]])(
    'also when there are none: %j',
    (json) => {
      expect(rowsAnywhere(json, EXPECTED).rows).toEqual([]);
    },
  );

  it('lists that hold anything else are entries', () => {
    const tuples = [
      ['a.com', 'high'],
      ['b.com', 'medium'],
    ];
    expect(rowsAnywhere({ members: tuples }, EXPECTED).rows).toEqual(
      tuples.map((value) => ({ value })),
    );
    expect(rowsAnywhere({ members: [[]] }, EXPECTED).rows).toEqual([{ value: [] }]);
  });

  it.each([[null], ['x']])(
    'a single row that says %j of itself is no envelope of what it has',
    (note) => {
      const row = { note, company: { data: [{ a: 1 }] } };
      expect(rowsAnywhere({ members: [row] }, EXPECTED).rows).toEqual([row]);
    },
  );

  it('entries that are no objects become rows', () => {
    expect(rowsAnywhere({ members: ['a.com', 7, null] }, EXPECTED).rows).toEqual([
      { value: 'a.com' },
      { value: 7 },
      { value: null },
    ]);
  });
});

describe('groups are one list, and each row says in which it stood', () => {
  const [one, two] = rows;
  const three = { id: 3, level: 'viewer' };

  it.each<[unknown, Array<[string, unknown]>]>([
    [{ users: rows }, []],
    [{ owned: null, shared: rows }, []],
    [
      { users: rows, org_wide: { id: 3 }, list: { name: 'x', owner: 'y' }, total: 3 },
      [
        ['users', one],
        ['users', two],
        ['org_wide', { id: 3 }],
      ],
    ],
    [
      { viewers: [one], editors: [two, three], warnings: [{ id: 9 }], excluded: rows },
      [
        ['viewers', one],
        ['editors', two],
        ['editors', three],
      ],
    ],
    [{ data: { my_lists: [one], shared_with_me: [] }, meta: { total: 1 } }, [['my_lists', one]]],
    [
      { mine: { members: [one], total: 1 }, theirs: { members: [two], total: 1 } },
      [
        ['mine', one],
        ['theirs', two],
      ],
    ],
    [
      { a: { viewers: [one], editors: [two] }, b: [three] },
      [
        ['viewers', one],
        ['editors', two],
        ['b', three],
      ],
    ],
  ])('%j', (json, expected) => {
    const found = rowsAnywhere(json, EXPECTED).rows;
    if (expected.length === 0) expect(found).toEqual(rows);
    else expect(found).toEqual(expected.map(([group, row]) => ({ group, ...(row as object) })));
  });

  it('and a group of its own stays', () => {
    expect(rowsAnywhere({ a: [{ group: 'own' }], b: [{ c: 1 }] }, EXPECTED).rows).toEqual([
      { group: 'own' },
      { group: 'b', c: 1 },
    ]);
  });
});

it('rows by their ids are rows, whatever they hold', () => {
  const members = {
    '1': { name: 'a', technologies: [{ key: 'x' }] },
    '2': { name: 'b', technologies: [] },
  };

  expect(rowsAnywhere({ members, total: 2 }, EXPECTED).rows).toEqual([
    { id: '1', ...members['1'] },
    { id: '2', ...members['2'] },
  ]);
});

it.each([
  { warnings: [{ message: 'x' }], list_companies: [] },
  { columns: [{ name: 'x' }], companies: [] },
  { data: null },
])('what is no row is none: %j', (json) => {
  expect(rowsAnywhere(json, EXPECTED).rows).toEqual([]);
});

it('what stands beside the rows, and around them, is kept', () => {
  const json = { took: 3, result: { members: rows, total: 2 }, pagination: { has_more: false } };

  expect(rowsAnywhere(json, EXPECTED).beside).toEqual({
    took: 3,
    total: 2,
    pagination: { has_more: false },
  });
});

it.each([
  undefined,
  null,
  7,
  'text',
  {},
  { members: 'none' },
  { a: { b: { c: { d: { e: rows } } } } },
])('no list, or one too deep: %j', (json) => {
  expect(() => rowsAnywhere(json, EXPECTED)).toThrow('The answer has no list of rows');
});

describe('how much there is', () => {
  it.each([
    [{ total_count: 3 }, [3, undefined]],
    [{ total: 0 }, [0, undefined]],
    [{ pagination: { total_results: 3, has_next: true } }, [3, true]],
    [{ meta: { total: 9 }, total: 3 }, [3, undefined]],
    [{ has_more: false }, [undefined, false]],
    [{ count: 3, limit: 3 }, [undefined, undefined]],
    [{ total: '3', has_more: 'no' }, [3, undefined]],
    [{ meta: { pagination: { total_count: '1,200' } } }, [1200, undefined]],
    [{ total: 'many' }, [undefined, undefined]],
    [{}, [undefined, undefined]],
  ])('%j', (beside, [totalResults, hasNext]) => {
    const { pagination } = readPageAnywhere({ ...beside, rows }, ['rows']);
    expect(pagination).toEqual({ limit: undefined, totalResults, hasNext });
  });
});
