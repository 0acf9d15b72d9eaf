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
    for (const { problem } of oddities) expect(problem).toMatch(/expected/i);
    expect(rows).toEqual(before);
  });
});
