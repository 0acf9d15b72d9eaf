'use strict';

const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Makes the temporary folder in which n8n-core keeps its settings; jest's workers inherit the variable. */
module.exports = () => {
  process.env.ENGINE_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'engine-tests-'));
};
