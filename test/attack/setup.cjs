'use strict';

const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Makes the folder of n8n-core's settings, in which each test file also leaves its figures. */
module.exports = () => {
  process.env.ENGINE_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'attack-tests-'));
  // The same cells in each run; another number attacks with others.
  process.env.ATTACK_SEED ??= '1';
};
