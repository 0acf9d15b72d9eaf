import { InvalidResponseError } from '../../../../src/client/errors';
import { findRows, type RowSearch } from '../../../../src/run/responses/find-rows';

const rows = [{ id: 1 }, { id: 2 }];
const [one, two] = rows;
const search: RowSearch = { names: ['members'], hasId: ({ id }) => typeof id === 'number' };
const rowsIn = (json: unknown, more: Partial<RowSearch> = {}) =>
  findRows(json, { ...search, ...more }).rows;

it.each<[where: string, json: unknown]>([
  ['a bare array (Rails, Go)', rows],
  ['the expected name', { members: rows }],
  ['a usual name (FastAPI pages: items; Django REST: results; Laravel: data)', { items: rows }],
  ['a usual name one level down', { data: { items: rows, total: 2 }, success: true }],
  ['the expected name one level down', { result: { members: rows } }],
  ['the expected name, next to groups of counts', { members: rows, tiers: [{ id: 9 }] }],
  ['a usual name, next to a list with another name', { results: rows, users: [{ id: 9 }] }],
  ['another name (Spring: content)', { content: rows, pageable: { sort: [] }, totalElements: 2 }],
  ['another name one level down (Spring HATEOAS)', { _embedded: { memberList: rows }, page: {} }],
  ['another name, next to the list they belong to', { list: { list_id: 7 }, list_members: rows }],
  ['another name, next to rows without an id', { records: rows, tiers: [{ tier: 'high' }] }],
])('reads the rows under %s', (_where, json) => {
  expect(rowsIn(json)).toEqual(rows);
});

it.each([
  ...[[], { members: [] }, { data: { members: [] } }, { saved_lists: [] }, { data: null }],
  { members: null, history: [{ id: 9 }] },
])('finds no rows when the list is empty or null: %j', (json) => {
  expect(rowsIn(json)).toEqual([]);
});

it('keeps entries that are not objects as values', () => {
  expect(rowsIn({ members: ['a.com', 7] })).toEqual([{ value: 'a.com' }, { value: 7 }]);
});

it.each<[json: unknown, groups: Record<string, unknown[]>]>([
  [
    { users: rows, org_wide: { id: 3 }, owner: { id: 9 } },
    { users: rows, org_wide: [{ id: 3 }] },
  ],
  [{ data: { viewers: [one], editors: rows, total: 2 } }, { viewers: [one], editors: rows }],
  [
    { my_lists: [one], shared_with_me: null },
    { my_lists: [one], shared_with_me: [] },
  ],
])('joins documented groups and adds the group to each row: %j', (json, groups) => {
  const expected = Object.entries(groups).flatMap(([group, found]) =>
    found.map((row) => Object.assign({ group }, row)),
  );
  expect(rowsIn(json, { groups: Object.keys(groups) })).toEqual(expected);
});

it('returns the fields next to the rows and around them as the envelope', () => {
  const meta = { has_more: false };
  const json = { took: 3, result: { members: rows, total: 2 }, meta };

  expect(findRows(json, search).envelope).toEqual({ took: 3, total: 2, meta });
});

it.each<[json: unknown, names: string]>([
  [{ records: rows, history: [{ id: 9 }] }, 'records and history'],
  [{ high: { members: [one] }, medium: { members: [two] } }, 'high.members and medium.members'],
  [{ data: rows, results: rows }, 'data and results'],
  [{ data: ['a'], items: rows }, 'data and items'],
])('throws an error that names both lists when either could be the rows: %j', (json, names) => {
  expect(() => rowsIn(json)).toThrow(
    `The response has more than one list that could be the rows: ${names}`,
  );
});

it.each([
  ...[undefined, 7, 'text', {}, { members: 'none' }, { a: { b: { members: rows } } }],
  ...[{ list_id: 7, owner: {}, history: [{ at: 1 }] }, { members: { '1': { name: 'a' } } }],
  { errors: [{ id: 1 }] },
  [[{ id: 1 }]],
  { members: [[{ id: 1 }]] },
])('throws when there is no list of rows: %j', (json) => {
  expect(() => rowsIn(json)).toThrow('The response has no list of rows');
  expect(() => rowsIn(json)).toThrow(InvalidResponseError);
});
