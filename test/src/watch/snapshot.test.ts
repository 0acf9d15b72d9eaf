import fc from 'fast-check';

import { getWorld } from '../../../sandbox/data/world';
import { packSnapshot, unpackSnapshot } from '../../../src/watch/trigger-state';

const anyTable = fc.array(
  // JSON has no minus zero.
  fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
  { maxLength: 20 },
);

it('unpacks the entries that were packed, and packs them to the same text in any order', async () => {
  const sorted = (table: readonly unknown[] = []) => table.map((one) => JSON.stringify(one)).sort();
  await fc.assert(
    fc.asyncProperty(anyTable, async (table) => {
      const packed = await packSnapshot(table);
      expect(sorted(await unpackSnapshot(packed))).toEqual(sorted(table));
      expect(await packSnapshot(table.toReversed())).toBe(packed);
    }),
  );
});

it('packs 100,000 members with their names into less than 2.5 MB', async () => {
  const tiers = ['high', 'medium', 'exploratory'];
  const { companies } = getWorld(20_000);
  // Each ending multiplies the 20,000 names, which makes 100,000.
  const table = ['', '-group', '-labs', '-digital', '-works'].flatMap((ending) =>
    companies.map(({ id, slug, name, primaryDomain }) => ({
      slug: `${slug}${ending}`,
      domain: primaryDomain.replace('.', `${ending}.`),
      name: `${name} ${ending.slice(1)}`,
      tier: tiers[(id * 31) % 3],
    })),
  );

  expect(table).toHaveLength(100_000);
  expect((await packSnapshot(table)).length).toBeLessThan(2_500_000);
});
