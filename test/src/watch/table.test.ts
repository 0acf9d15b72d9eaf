/** What is remembered of large lists is small, and comes back as it was. */
import fc from 'fast-check';

import { getWorld } from '../../../sandbox/data/world';
import { fieldOf, packTable, sameTable, unpackTable } from '../../../src/watch/table';

/** The compressor's threads have to wait for a busy machine. */
const BUSY_MS = 60_000;

const anyTable = fc
  .array(
    fc.tuple(
      fc.string({ unit: 'binary' }).map(fieldOf),
      fc.array(fc.string({ unit: 'binary' }).map(fieldOf), { minLength: 1, maxLength: 3 }),
    ),
    { maxLength: 20 },
  )
  .map((rows) => new Map(rows));

it(
  'comes back as it was',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (table) => {
        const back = await unpackTable(await packTable(table));
        expect(new Map(back)).toEqual(table);
        expect(sameTable(back ?? new Map(), table)).toBe(true);
      }),
    );
  },
  BUSY_MS,
);

it(
  'is the same text whatever the order',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (table) => {
        expect(await packTable(new Map([...table].reverse()))).toBe(await packTable(table));
      }),
    );
  },
  BUSY_MS,
);

it('notices every difference', () => {
  fc.assert(
    fc.property(anyTable, anyTable, (one, other) => {
      const text = (table: typeof one) => JSON.stringify([...table].sort());
      expect(sameTable(one, other)).toBe(text(one) === text(other));
    }),
  );
});

it.each(['', 'AAAA', 'not base64 at all', '{}'])(
  'gives nothing for what it is not: %j',
  async (text) => {
    expect(await unpackTable(text)).toBeUndefined();
  },
);

it(
  'holds 100,000 members in less than 2 MB',
  async () => {
    const tiers = ['high', 'medium', 'exploratory'];
    const { companies } = getWorld(20_000, 1);
    // As many endings as it takes to have 100,000 names.
    const table = new Map(
      ['', '-group', '-labs', '-digital', '-works'].flatMap((ending, series) =>
        companies.map(({ id, primaryDomain }): [string, string[]] => [
          `company_id:${String((id + series * 20_000) * 7)}`,
          [primaryDomain.replace('.', `${ending}.`), tiers[(id * 31) % 3] ?? ''],
        ]),
      ),
    );

    expect(table.size).toBe(100_000);
    expect((await packTable(table)).length).toBeLessThan(2_000_000);
  },
  BUSY_MS,
);
