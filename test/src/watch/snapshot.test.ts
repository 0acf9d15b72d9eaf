/** What is remembered of large lists is small, and comes back as it was. */
import fc from 'fast-check';

import { getWorld } from '../../../sandbox/data/world';
import { packSnapshot, unpackSnapshot } from '../../../src/watch/snapshot';

/** The compressor's threads have to wait for a busy machine. */
const BUSY_MS = 60_000;

const anyTable = fc
  .array(
    fc.tuple(
      fc.string({ unit: 'binary' }),
      // There is no minus zero in JSON.
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
    // As many endings as it takes to have 100,000 names.
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
