// Are the tests able to fail? Stryker changes one line of many, by chance, and tells which changes no
// test notices. See CONTRIBUTING for its command.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDERS = ['run', 'service', 'client', 'input', 'watch', 'n8n'];
const folders = process.env.MUTATE_FOLDERS?.split(',') ?? FOLDERS;
/** One line of so many is changed; which ones depends on the seed. */
const oneOf = Number(process.env.MUTATE_ONE_OF ?? 50);
const seed = process.env.MUTATE_SEED ?? '1';

/**
 * @param {string} folder below the project
 * @returns {string[]} its files of TypeScript
 */
function filesIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
}

/**
 * @param {string} file below the project
 * @returns {string[]} the lines of it that were drawn, as Stryker names them
 */
function drawnFrom(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((_line, index) => {
    const place = `${file}:${String(index + 1)}`;
    const digest = createHash('sha256').update(`${seed} ${place}`).digest();
    return digest.readUInt32BE() % oneOf === 0 ? [`${place}-${String(index + 1)}`] : [];
  });
}

export default {
  mutate:
    process.env.MUTATE?.split(',') ??
    folders.flatMap((folder) => filesIn(`src/${folder}`).sort().flatMap(drawnFrom)),
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    configFile: 'test/mutation/jest.config.mjs',
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // n8n's engine is found from where the tests are.
  inPlace: true,
  disableTypeChecks: true,
  concurrency: 2,
  timeoutMS: 20_000,
  timeoutFactor: 2,
  dryRunTimeoutMinutes: 60,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false },
  tempDirName: '.cache/stryker',
  jsonReporter: { fileName: '.cache/mutation.json' },
};
