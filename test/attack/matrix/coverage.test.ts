/** Tests that no option is missing in the attack, and that every fault has its own cells. */
import { FAULTS } from '../faults';
import { OPTIONS_THAT_DO_NOT_MATTER, OPTIONS_THAT_MATTER } from '../operations/values';
import { FOLDERS, variantsOf } from '../operations/variants';

it('classifies every option once by whether faults affect it, and none that does not exist', async () => {
  const known = [
    ...Object.keys(OPTIONS_THAT_MATTER),
    ...Object.values(OPTIONS_THAT_DO_NOT_MATTER).flat(),
  ];
  const variants = (await Promise.all(FOLDERS.map(variantsOf))).flat();
  const options = new Set(variants.flatMap(({ entries }) => entries));

  // If this fails, add the option to one of the two in test/attack/operations/values.ts.
  expect(known.sort()).toEqual([...options].sort());
  const titles = variants.map(({ title }) => title);
  for (const names of [titles, FAULTS.map(({ name }) => name)]) {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  }
});
