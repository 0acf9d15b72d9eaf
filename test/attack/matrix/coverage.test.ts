/** Tests that no node, parameter or option is missing in the attack. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FAULTS } from '../faults';
import { OPTIONS_THAT_DO_NOT_MATTER, OPTIONS_THAT_MATTER } from '../operations/values';
import { FOLDERS, variantsOf } from '../operations/variants';

it('has a fault-injection test for every node', () => {
  const attacked = readdirSync(__dirname).flatMap((file) => {
    const text = readFileSync(join(__dirname, file), 'utf8');
    return /^attack\('(\w+)'\);$/m.exec(text)?.slice(1) ?? [];
  });

  expect(attacked.sort()).toEqual([...FOLDERS].sort());
});

it.each(FOLDERS)('has a value for every parameter of %s', async (folder) => {
  const variants = await variantsOf(folder);

  expect(variants.length).toBeGreaterThan(0);
  expect(new Set(variants.map(({ title }) => title)).size).toBe(variants.length);
});

it('classifies every option once by whether faults affect it, and none that does not exist', async () => {
  const known = [
    ...Object.keys(OPTIONS_THAT_MATTER),
    ...Object.values(OPTIONS_THAT_DO_NOT_MATTER).flat(),
  ];
  const variants = await Promise.all(FOLDERS.map(variantsOf));
  const options = new Set(variants.flat().flatMap(({ entries }) => entries));

  // If this fails, add the option to one of the two in test/attack/operations/values.ts.
  expect(known.sort()).toEqual([...options].sort());
});

it('every fault has a unique name', () => {
  const names = FAULTS.map(({ name }) => name);

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
