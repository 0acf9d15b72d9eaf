import type { ApiResponse } from '../../../../src/client/client';
import { readUndocumentedPage, readPage, toPage } from '../../../../src/run/responses/page';

const rows = [{ id: 1 }, { id: 2 }];
const toResponse = (json: unknown, headers = {}) => ({ status: 200, headers, json }) as ApiResponse;
const read = (fields: object, wholeCounts?: readonly string[]) =>
  readUndocumentedPage(
    { ...fields, members: rows },
    { names: ['members'], hasId: () => true },
    wholeCounts,
  );

it('returns rows, pagination and all other fields of the standard envelope', () => {
  const pagination = { page: 1, limit: 2, total_results: 9, has_next: true };
  expect(readPage({ data: rows, pagination, company: { name: 'A' }, x: 5 })).toEqual({
    rows,
    context: { company: { name: 'A' }, x: 5 },
    pagination: { limit: 2, totalResults: 9, hasNext: true },
  });
});

it('reads rows without a usable pagination, and null, as Go writes an empty list, but no other', () => {
  for (const pagination of [undefined, null, 'x', { total_results: 'nine', has_next: 'yes' }]) {
    expect(readPage({ data: rows, pagination })).toEqual({ rows, context: {}, pagination: {} });
  }
  expect(readPage({ data: null }).rows).toEqual([]);
  for (const json of [undefined, {}, { data: 7 }, { results: [] }]) {
    expect(() => readPage(json)).toThrow('The response has no list "data"');
  }
});

describe('toPage', () => {
  it('throws for an empty list with an error, but not for rows with errors', () => {
    const readOf = (json: unknown) => toPage(toResponse(json), readPage);
    expect(() => readOf({ data: [], error: 'forbidden' })).toThrow('The response is an error');
    expect(readOf({ data: [], error: null }).rows).toEqual([]);
    expect(readOf({ data: rows, errors: ['one row is old'] }).rows).toEqual(rows);
  });

  it.each<[link: string | undefined, fields: object, hasNext: boolean | undefined]>([
    ['<https://a.example/x?page=2>; rel="next"', {}, true],
    ['</x?page=1>; rel="prev", </x?page=3>; rel=next', {}, true],
    ['<https://a.example/next>; rel="last"', {}, undefined],
    ['</x?page=2>; rel="next"', { pagination: { has_next: false } }, false],
    [undefined, {}, undefined],
  ])(
    'reads from the Link header %j and %j whether there is a page: %p',
    (link, fields, hasNext) => {
      const page = toPage(toResponse({ data: rows, ...fields }, { link }), readPage);
      expect(page.pagination.hasNext).toBe(hasNext);
    },
  );
});

it.each<[fields: object, total: number | undefined]>([
  [{ total_count: 3 }, 3],
  [{ total: 2 }, 2],
  [{ pagination: { total_results: 3 } }, 3],
  [{ meta: { total: 9 }, total: 3 }, 3],
  [{ page: { totalElements: 63 } }, 63],
  // Django counts all rows; others count those of the page.
  [{ count: 63 }, 63],
  [{ count: 2 }, undefined],
  // The response itself has two rows, so this is no total.
  [{ total: 0 }, undefined],
  [{ total: 'many' }, undefined],
  [{ total: 10_000, capped: true }, undefined],
  [{}, undefined],
])('reads the total of %j: %p', (fields, total) => {
  expect(read(fields).pagination.totalResults).toBe(total);
});

it('reads no count of the whole list if only a part of it was requested', () => {
  const json = { total_count: 437, high_count: 146, pagination: {} };

  expect(read(json, ['high_count']).pagination.totalResults).toBe(146);
  expect(read(json, []).pagination.totalResults).toBeUndefined();
});

it.each<[fields: object, hasNext: boolean | undefined]>([
  [{ pagination: { total_results: 3, has_next: true } }, true],
  [{ has_more: false, next_url: '/x' }, false],
  [{ pagination: { page: 1, total_pages: 3 } }, true],
  [{ pagination: { page: 3, total_pages: 3 } }, false],
  [{ page: 0, total_pages: 3 }, undefined],
  [{ last: false }, true],
  [{ last: true }, false],
  [{ next_url: 'https://a.example/x' }, true],
  [{ links: { next: '/v1/lists?page=2' } }, true],
  [{ next_cursor: 'eyJpZCI6N30' }, true],
  [{ meta: { next_page_token: 'a' } }, true],
  [{ next_url: null, next: '', next_cursor: null }, undefined],
  [{ total: 3, has_more: 'no' }, undefined],
])('reads from %j whether there is another page: %p', (fields, hasNext) => {
  expect(read(fields).pagination.hasNext).toBe(hasNext);
  if ('pagination' in fields) {
    expect(readPage({ data: rows, ...fields }).pagination.hasNext).toBe(hasNext);
  }
});
