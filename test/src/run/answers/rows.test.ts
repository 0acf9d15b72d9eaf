import { z } from 'zod/v4';

import { inspectRows, isRow, rowsUnder } from '../../../../src/run/answers/rows';
import { InvalidResponseError } from '../../../../src/client/errors';

describe('the rows of an answer', () => {
  it('are the list under the key', () => {
    expect(rowsUnder({ data: [1, 2], other: [] }, 'data')).toEqual([1, 2]);
  });

  it.each([undefined, null, [], 'text', 7, {}, { data: null }, { data: {} }, { results: [] }])(
    'are not in %j',
    (json) => {
      expect(() => rowsUnder(json, 'data')).toThrow(InvalidResponseError);
      expect(() => rowsUnder(json, 'data')).toThrow(/"data"/);
    },
  );
});

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['x', false],
  [undefined, false],
])('%j is a row: %s', (value, expected) => {
  expect(isRow(value)).toBe(expected);
});

describe('inspecting rows', () => {
  const shape = z.looseObject({
    domain: z.string(),
    items: z.array(z.looseObject({ count: z.number() })).optional(),
  });

  it('finds nothing in rows of the right shape, unknown fields or not', () => {
    expect(inspectRows(shape, [{ domain: 'a.com', new: 1 }, { domain: 'b.com' }])).toEqual([]);
  });

  it('tells each field once, wherever in a list it stands, and changes nothing', () => {
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
