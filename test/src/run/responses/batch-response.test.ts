import { z } from 'zod/v4';

import { inspectRows, readBatchResponse } from '../../../../src/run/responses/batch-response';
import { InvalidResponseError } from '../../../../src/client/errors';

const shape = z.looseObject({ domain: z.string(), slug: z.string().nullish() });
const AB = ['a.com', 'b.com'];
const DOMAINS = [...AB, 'acme.com', 'xn--mnchen-3ya.de'];
const read = (json: unknown, domains = DOMAINS) => readBatchResponse(json, 'data', shape, domains);

it('finds rows by the requested domain, however the response spells it', () => {
  const { rows } = read({
    data: [{ domain: 'WWW.Acme.com ' }, { domain: 'münchen.de' }, { domain: 'b.com', extra: [1] }],
  });
  expect([...rows.keys()]).toEqual(['acme.com', 'xn--mnchen-3ya.de', 'b.com']);
  expect(rows.get('acme.com')).toEqual({ domain: 'WWW.Acme.com ' });
  expect(rows.get('b.com')).toEqual({ domain: 'b.com', extra: [1] });
});

it.each<[string, unknown, string[]]>([
  ['in any order, each once', [{ domain: 'b.com' }, { domain: 'a.com' }, { domain: 'b.com' }], AB],
  [
    'but no other entries',
    [null, 'a.com', 5, [], {}, { domain: 3 }, { domain: 'b.com' }],
    ['b.com'],
  ],
  ['and none of null, as Go writes an empty list', null, []],
])('reads rows %s', (_what, data, domains) => {
  expect([...read({ data }).rows.keys()].sort()).toEqual(domains);
});

it('keeps a row with a field of an unexpected type, and reports the field', () => {
  const { rows, schemaMismatches } = read({ data: [{ domain: 'a.com', slug: 7 }] });
  expect(rows.get('a.com')).toEqual({ domain: 'a.com', slug: 7 });
  expect(schemaMismatches).toEqual([{ field: 'slug', problem: expect.any(String) }]);
});

it.each([null, undefined, [], {}, { data: 'x' }, { results: [] }])(
  'throws for %j, which is not a batch response',
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
])('assigns the row %j to acme.com', (row) => {
  const { rows, unrequestedRows } = read({ data: [row] }, ['acme.com']);
  expect([[...rows], unrequestedRows]).toEqual([[['acme.com', row]], []]);
});

it('assigns a row to each of its domains, and returns other rows as unrequested', () => {
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
  'assigns %j to no domain, because subdomains and other fields do not identify a company',
  (row) => {
    expect(read({ data: [row] }, ['acme.com'])).toMatchObject({ unrequestedRows: [row] });
  },
);

describe('inspectRows', () => {
  const shape = z.looseObject({
    domain: z.string(),
    items: z.array(z.looseObject({ count: z.number() })).optional(),
  });

  it('returns nothing for rows of the expected shape, even with unknown fields', () => {
    expect(inspectRows(shape, [{ domain: 'a.com', new: 1 }, { domain: 'b.com' }])).toEqual([]);
  });

  it('reports each field once, whatever its list index, and changes no row', () => {
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

describe('a field that does not match the API spec', () => {
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
  ])('is described in words for %j', (change, field, problem) => {
    expect(inspectRows(shape, [{ ...row, ...change }])).toEqual([{ field, problem }]);
  });
});
