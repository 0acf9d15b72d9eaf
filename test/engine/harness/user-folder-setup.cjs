'use strict';

const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/**
 * Creates the temporary folder in which n8n-core keeps its settings. Jest's workers inherit the
 * environment variable with the path.
 */
module.exports = () => {
  process.env.ENGINE_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'engine-tests-'));
};
