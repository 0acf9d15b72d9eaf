/** Tests that saved snapshots of large lists are small and can be restored unchanged. */
import fc from 'fast-check';

import { getWorld } from '../../../sandbox/data/world';
import { packSnapshot, unpackSnapshot } from '../../../src/watch/snapshot';

/** On a busy machine the threads of the compressor may start late. */
const BUSY_MS = 60_000;

const anyTable = fc
  .array(
    fc.tuple(
      fc.string({ unit: 'binary' }),
      // JSON has no minus zero.
      fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
    ),
    { maxLength: 20 },
  )
  .map((rows) => new Map<string, unknown>(rows));

it(
  'unpacks the same table that was packed',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (table) => {
        expect(await unpackSnapshot(await packSnapshot(table))).toEqual(table);
      }),
    );
  },
  BUSY_MS,
);

it(
  'packs the same text whatever the order of the entries',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (table) => {
        expect(await packSnapshot(new Map([...table].reverse()))).toBe(await packSnapshot(table));
      }),
    );
  },
  BUSY_MS,
);

it.each(['', 'AAAA', 'not base64 at all', '{}'])(
  'returns undefined for a text that is not a snapshot: %j',
  async (text) => {
    expect(await unpackSnapshot(text)).toBeUndefined();
  },
);

it(
  'packs 100,000 members with their names into less than 2 MB',
  async () => {
    const tiers = ['high', 'medium', 'exploratory'];
    const { companies } = getWorld(20_000, 1);
    // Each ending multiplies the 20,000 names, which makes 100,000.
    const table = new Map(
      ['', '-group', '-labs', '-digital', '-works'].flatMap((ending, series) =>
        companies.map(({ id, name, primaryDomain }): [string, unknown] => [
          `company_id:${String((id + series * 20_000) * 7)}`,
          {
            domain: primaryDomain.replace('.', `${ending}.`),
            tier: tiers[(id * 31) % 3],
            name: `${name} ${ending.slice(1)}`,
          },
        ]),
      ),
    );

    expect(table.size).toBe(100_000);
    expect((await packSnapshot(table)).length).toBeLessThan(2_000_000);
  },
  BUSY_MS,
);
