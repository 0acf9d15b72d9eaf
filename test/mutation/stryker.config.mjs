// Checks whether the tests can fail: Stryker changes a random sample of lines and reports the
// changes that no test notices. CONTRIBUTING describes its command.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDERS = ['run', 'service', 'client', 'input', 'watch', 'n8n'];
const folders = process.env.MUTATE_FOLDERS?.split(',') ?? FOLDERS;
/** Stryker changes one line of this many. The seed decides which lines. */
const oneOf = Number(process.env.MUTATE_ONE_OF ?? 50);
const seed = process.env.MUTATE_SEED ?? '1';

/**
 * @param {string} folder below the project
 * @returns {string[]} its TypeScript files
 */
function filesIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
}

/**
 * @param {string} file below the project
 * @returns {string[]} the sampled lines of the file, in Stryker's format
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
  // The tests find n8n's engine only from their own folder.
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
