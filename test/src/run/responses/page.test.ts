/** Tests which responses are an empty list or an error, and which lead to a next page. */
import type { ApiResponse } from '../../../../src/client/client';
import { readUndocumentedPage, readPage, toPage } from '../../../../src/run/responses/page';

const rows = [{ id: 1 }];
const readOf = (status: number, json: unknown) =>
  toPage({ status, json } as ApiResponse, (body) => readPage(body));
const linked = (fields: object) =>
  readUndocumentedPage({ ...fields, members: rows }, { names: ['members'], hasId: () => true });

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

describe('the next page of a response', () => {
  it.each<[fields: object, next: object | undefined, hasNext: boolean | undefined]>([
    [{ next_cursor: 'abc' }, { cursor: 'abc' }, true],
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
    [{ next: '/v1/lists' }, undefined, true],
    [{ next_link: '/v1/lists?limit=25' }, undefined, true],
    [{}, undefined, undefined],
  ])('is read from %j', (fields, next, hasNext) => {
    const page = linked(fields);
    expect([page.next, page.pagination.hasNext]).toEqual([next, hasNext]);
  });

  it.each<[fields: object, countsPages: boolean]>([
    [{ page: 1 }, true],
    [{ has_next: false }, true],
    [{ page: '1', has_more: true }, false],
    [{}, false],
  ])('is requested by page number for %j: %p', (fields, countsPages) => {
    expect(linked(fields).countsPages).toBe(countsPages);
  });
});
