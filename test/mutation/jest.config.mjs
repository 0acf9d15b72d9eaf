// Makes the unit tests, or the project in MUTATE_TESTS,
// the only project: Stryker cannot run several.
import { join } from 'node:path';

import config from '../../jest.config.mjs';

const name = process.env.MUTATE_TESTS ?? 'unit';
const project = config.projects?.find((one) => typeof one === 'object' && one.displayName === name);
if (project === undefined) throw new Error(`jest.config.mjs has no project "${name}"`);
const settings = /** @type {Record<string, unknown>} */ (project);
const files = process.env.MUTATE_TEST_FILES?.split(',');

export default {
  ...settings,
  ...(files === undefined ? {} : { testMatch: files.map((one) => join('<rootDir>/test', one)) }),
};
