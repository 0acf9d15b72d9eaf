import { z } from 'zod/v4';

import { inspectRows, readBatchResponse } from '../../../../src/run/responses/batch-response';
import { InvalidResponseError } from '../../../../src/client/errors';

const shape = z.looseObject({ domain: z.string(), slug: z.string().nullish() });
const ASKED = ['a.com', 'b.com', 'acme.com', 'xn--mnchen-3ya.de'];
const read = (json: unknown, asked = ASKED) => readBatchResponse(json, 'data', shape, asked);

it('rows are found by the domain that was sent, however the answer spells it', () => {
  const { rows } = read({
    data: [{ domain: 'WWW.Acme.com ' }, { domain: 'münchen.de' }, { domain: 'b.com', extra: [1] }],
  });
  expect([...rows.keys()]).toEqual(['acme.com', 'xn--mnchen-3ya.de', 'b.com']);
  expect(rows.get('acme.com')).toEqual({ domain: 'WWW.Acme.com ' });
  expect(rows.get('b.com')).toEqual({ domain: 'b.com', extra: [1] });
});

it('order and number of the rows mean nothing', () => {
  const { rows } = read({ data: [{ domain: 'b.com' }, { domain: 'a.com' }, { domain: 'b.com' }] });
  expect([...rows.keys()].sort()).toEqual(['a.com', 'b.com']);
});

it('keeps a row with an unexpected field, and reports the field', () => {
  const { rows, schemaMismatches } = read({ data: [{ domain: 'a.com', slug: 7 }] });
  expect(rows.get('a.com')).toEqual({ domain: 'a.com', slug: 7 });
  expect(schemaMismatches).toEqual([{ field: 'slug', problem: expect.any(String) }]);
});

it('skips entries that are no rows or belong to no domain', () => {
  const { rows } = read({ data: [null, 'a.com', 5, [], {}, { domain: 3 }, { domain: 'a.com' }] });
  expect([...rows.keys()]).toEqual(['a.com']);
});

it('reads null as no rows, as Go writes an empty list', () => {
  expect(read({ data: null }).rows.size).toBe(0);
});

it.each([null, undefined, [], {}, { data: 'x' }, { results: [] }])(
  '%j is not an answer',
  (json) => {
    expect(() => read(json)).toThrow(InvalidResponseError);
  },
);

it.each([
  { primary_domain: 'www.acme.com' },
  { company: { primary_domain: 'acme.com' } },
  { company: { domain: 'acme.com' }, domain: 'now.com' },
  { domain: 'now.com', domains: ['other.com', 'acme.com'] },
  { domain: 7, company: { domains: 'acme.com.' } },
])('%j is the row of acme.com', (row) => {
  const { rows, unrequestedRows } = read({ data: [row] }, ['acme.com']);
  expect([[...rows], unrequestedRows]).toEqual([[['acme.com', row]], []]);
});

it('assigns a row of several domains to each, and reports a row of none', () => {
  const merged = { domain: 'acme.com', domains: ['acme.com', 'b.com'] };
  const foreign = [{ domain: 'now.com' }, { domain: 'com' }, { slug: 'x' }];
  const answer = read({ data: [...foreign, merged] }, ['acme.com', 'b.com', 'c.com']);
  expect([...answer.rows]).toEqual([
    ['acme.com', merged],
    ['b.com', merged],
  ]);
  expect(answer.unrequestedRows).toEqual(foreign);
});

it.each([{ domain: 'shop.acme.com' }, { url: 'acme.com' }, { query: 'acme.com' }])(
  '%j belongs to nobody: neither a subdomain nor any other field names a company',
  (row) => {
    expect(read({ data: [row] }, ['acme.com'])).toMatchObject({ unrequestedRows: [row] });
  },
);

describe('inspecting rows', () => {
  const shape = z.looseObject({
    domain: z.string(),
    items: z.array(z.looseObject({ count: z.number() })).optional(),
  });

  it('finds nothing in rows of the right shape, unknown fields or not', () => {
    expect(inspectRows(shape, [{ domain: 'a.com', new: 1 }, { domain: 'b.com' }])).toEqual([]);
  });

  it('reports each field once, wherever it is in a list, and changes nothing', () => {
    const rows = [
      { domain: 'a.com', items: [{ count: '1' }, { count: 2 }, { count: '3' }] },
      { domain: 5, items: [{ count: 'x' }] },
    ];
    const before = structuredClone(rows);
    const oddities = inspectRows(shape, rows);
    expect(oddities.map(({ field }) => field).sort()).toEqual(['domain', 'items.*.count']);
    for (const { problem } of oddities) expect(problem).toMatch(/ instead of /);
    expect(rows).toEqual(before);
  });
});

describe('a field that is not as documented', () => {
  const shape = z.looseObject({
    name: z.string().nullish(),
    count: z.number().int(),
    status: z.enum(['found', 'not_tracked']),
    parts: z.array(z.looseObject({ id: z.number() })),
  });
  const row = { name: 'Acme', count: 1, status: 'found', parts: [{ id: 1 }] };

  it.each([
    [{ name: 7 }, 'name', 'a number instead of text'],
    [{ count: '7' }, 'count', 'text instead of a number'],
    [{ count: 1.5 }, 'count', 'a number instead of a whole number'],
    [{ count: undefined }, 'count', 'nothing instead of a number'],
    [{ status: 'lost' }, 'status', 'none of found, not_tracked'],
    [{ status: undefined }, 'status', 'nothing'],
    [{ parts: null }, 'parts', 'null instead of a list'],
    [{ parts: [[]] }, 'parts.*', 'a list instead of an object'],
    [{ parts: [{ id: 1 }, { id: true }] }, 'parts.*.id', 'true or false instead of a number'],
  ])('%j is told in words', (change, field, problem) => {
    expect(inspectRows(shape, [{ ...row, ...change }])).toEqual([{ field, problem }]);
  });
});
