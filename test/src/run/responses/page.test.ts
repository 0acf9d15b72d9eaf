/**
 * Tests what is read from a response: its rows, the total, and whether and where the next page is;
 * and which responses are an empty list or an error.
 */
import type { ApiResponse } from '../../../../src/client/client';
import { readUndocumentedPage, readPage, toPage } from '../../../../src/run/responses/page';

const rows = [{ id: 1 }, { id: 2 }];
const readOf = (status: number, json: unknown) =>
  toPage({ status, json } as ApiResponse, (body) => readPage(body));
const read = (fields: object, countsOf?: readonly string[]) =>
  readUndocumentedPage(
    { ...fields, members: rows },
    { names: ['members'], hasId: () => true },
    countsOf,
  );

describe('readPage', () => {
  it('returns rows, pagination and all other fields', () => {
    const pagination = { page: 1, limit: 2, total_results: 9, has_next: true };
    expect(readPage({ data: rows, pagination, company: { name: 'A' }, x: 5 })).toEqual({
      rows,
      context: { company: { name: 'A' }, x: 5 },
      pagination: { limit: 2, totalResults: 9, hasNext: true },
    });
  });

  it.each([undefined, null, 'x', { total_results: 'nine', limit: null, has_next: 'yes' }])(
    'returns the rows when the pagination is %j',
    (pagination) => {
      expect(readPage({ data: rows, pagination })).toMatchObject({
        rows,
        pagination: { limit: undefined, totalResults: undefined, hasNext: undefined },
      });
    },
  );

  it.each<[pagination: object, hasNext: boolean | undefined]>([
    [{ has_next: false, next_url: 'https://a.example/x' }, false],
    [{ next_url: 'https://a.example/x' }, true],
    [{ next_url: null, total_results: 9 }, undefined],
  ])('reads from the pagination %j whether there is another page: %j', (pagination, hasNext) => {
    expect(readPage({ data: [], pagination }).pagination.hasNext).toBe(hasNext);
  });
});

describe('toPage', () => {
  it('reads the rows of a response', () => {
    expect(readOf(200, { data: rows })).toMatchObject({ rows });
    expect(readOf(200, { data: rows }).isSilent).toBeUndefined();
  });

  it.each<[status: number, json: unknown]>([
    [204, undefined],
    [200, { data: null }],
    [200, { data: null, pagination: null }],
    [200, {}],
  ])('treats status %i with the body %j as a page without a list', (status, json) => {
    expect(readOf(status, json)).toMatchObject({ rows: [], isSilent: true });
  });

  it.each<[status: number, json: unknown]>([
    [200, undefined],
    [204, { other: 1 }],
    [200, { data: 7, pagination: null }],
  ])('throws for status %i with the body %j, which has no list', (status, json) => {
    expect(() => readOf(status, json)).toThrow('The response has no list "data"');
  });

  it('throws for an empty list with an error, but not for rows with errors', () => {
    expect(() => readOf(200, { data: [], error: 'forbidden' })).toThrow('The response is an error');
    expect(readOf(200, { data: [], error: null }).rows).toEqual([]);
    expect(readOf(200, { data: rows, errors: ['one row is old'] }).rows).toEqual(rows);
  });
});

describe('the total of a response', () => {
  it.each<[fields: object, total: number | undefined]>([
    [{ total_count: 3 }, 3],
    [{ total: 2 }, 2],
    [{ pagination: { total_results: 3 } }, 3],
    [{ meta: { total: 9 }, total: 3 }, 3],
    [{ total: '3' }, 3],
    [{ meta: { pagination: { total_count: '1,200' } } }, 1200],
    // The response itself has two rows, so this is no total.
    [{ total: 0 }, undefined],
    [{ total: 'many' }, undefined],
    [{ total: 10_000, capped: true }, undefined],
    [{ count: 3, limit: 3 }, undefined],
    [{}, undefined],
  ])('is read from %j: %p', (fields, total) => {
    const pagination = { limit: undefined, totalResults: total, hasNext: undefined };
    expect(read(fields).pagination).toEqual(pagination);
  });

  it('is not the count of the whole list if only a part of it was requested', () => {
    const json = { total_count: 437, high_count: 146, pagination: {} };

    expect(read(json, ['high_count']).pagination.totalResults).toBe(146);
    expect(read(json, []).pagination.totalResults).toBeUndefined();
  });
});

describe('the next page of a response', () => {
  it.each<[fields: object, next: object | undefined, hasNext: boolean | undefined]>([
    [{ next_cursor: 'abc' }, { cursor: 'abc' }, true],
    [{ next_cursor: 'abc', total_count: 17 }, { cursor: 'abc' }, true],
    [{ pagination: { next_cursor: 'abc' } }, { cursor: 'abc' }, true],
    [{ pagination: { next_cursor: null } }, undefined, false],
    [{ next_cursor: 0 }, { cursor: '0' }, true],
    [{ next_page_token: 'abc' }, { page_token: 'abc' }, true],
    [{ next_cursor: null }, undefined, false],
    [{ next_cursor: '' }, undefined, false],
    [{ next_cursor: null, has_more: true }, undefined, true],
    [{ next_cursor: 'abc', has_more: false }, undefined, false],
    [{ next: null }, undefined, false],
    [{ next: '' }, undefined, false],
    [{ next: false }, undefined, false],
    [{ next: true }, undefined, true],
    [{ next: 2 }, undefined, true],
    [{ next: { href: '/v1/lists?after=7' } }, { after: '7' }, true],
    [{ links: { next: '/v1/lists?after=7' } }, { after: '7' }, true],
    [{ links: { next: null } }, undefined, false],
    [{ next: '/v1/lists' }, undefined, true],
    [{ next_link: '/v1/lists?limit=25' }, undefined, true],
    [{}, undefined, undefined],
    [{ pagination: { total_results: 3, has_next: true } }, undefined, true],
    [{ has_more: false }, undefined, false],
    [{ total: '3', has_more: 'no' }, undefined, undefined],
    [{ count: 3, limit: 3 }, undefined, undefined],
    // Of a link, only the value is used that says where the next page begins.
    [{ next: 'https://other.example/v1/lists?page=2' }, { page: '2' }, true],
    [{ next: '/v1/lists?cursor=abc&limit=25' }, { cursor: 'abc' }, true],
    [{ next: 'https://other.example/v1/lists?limit=5&cursor=abc' }, { cursor: 'abc' }, true],
    [{ next: 'abc' }, { cursor: 'abc' }, true],
    [{ next: 'https://other.example/v1/lists?offset=25' }, undefined, true],
  ])('is read from %j', (fields, next, hasNext) => {
    const page = read(fields);
    expect([page.next, page.pagination.hasNext]).toEqual([next, hasNext]);
  });

  it.each<[fields: object, countsPages: boolean]>([
    [{ page: 1 }, true],
    [{ has_next: false }, true],
    [{ page: '1', has_more: true }, false],
    [{}, false],
  ])('is requested by page number for %j: %p', (fields, countsPages) => {
    expect(read(fields).countsPages).toBe(countsPages);
  });
});
