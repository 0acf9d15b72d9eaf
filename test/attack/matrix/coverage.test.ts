/** Tests that the suite is complete: every node in package.json has a test file in this folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadNodeTypes } from '../../engine/harness/node-types';
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
  const known = [OPTIONS_THAT_MATTER, OPTIONS_THAT_DO_NOT_MATTER].flatMap(Object.keys);
  const variants = await Promise.all(FOLDERS.map(variantsOf));
  const options = new Set(variants.flat().flatMap(({ entries }) => entries));

  // If this fails, add the option to one of the two in test/attack/operations/values.ts.
  expect(known.sort()).toEqual([...options].sort());
});

it('every node has only version 1', async () => {
  for (const folder of FOLDERS) {
    const type = `n8n-nodes-company-intelligence.${folder.charAt(0).toLowerCase()}${folder.slice(1)}`;
    const { description } = (await loadNodeTypes([type])).getByNameAndVersion(type);
    expect([folder, description.version]).toEqual([folder, 1]);
  }
});

it('every fault has a unique name', () => {
  const names = FAULTS.map(({ name }) => name);

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
