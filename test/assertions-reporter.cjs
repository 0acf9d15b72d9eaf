/**
 * Jest reporter that fails a run in which a test passed without an assertion, because such a test
 * cannot fail.
 */
module.exports = class AssertionsReporter {
  /** @type {string[]} */
  empty = [];

  /**
   * @param {unknown} _file
   * @param {import('@jest/test-result').TestResult} result
   */
  onTestResult(_file, { testFilePath, testResults }) {
    for (const { status, numPassingAsserts, fullName } of testResults) {
      if (status === 'passed' && numPassingAsserts === 0)
        this.empty.push(`${testFilePath}: ${fullName}`);
    }
  }

  onRunComplete() {
    for (const test of this.empty) console.error(`Passed without an assertion: ${test}`);
  }

  getLastError() {
    return this.empty.length > 0 ? new Error('Tests without an assertion cannot fail.') : undefined;
  }
};
