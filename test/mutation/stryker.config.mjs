// Checks whether the tests can fail: Stryker changes lines of src and reports the changes that no
// unit test notices. CONTRIBUTING describes its command.
export default {
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
