/** That nothing is left out: every node that package.json lists has a file of its own here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FAULTS } from '../faults';
import { FOLDERS, variantsOf } from '../operations/variants';

it('attacks every node', () => {
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

it('names every fault once', () => {
  const names = FAULTS.map(({ name }) => name);

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
