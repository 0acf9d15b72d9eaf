'use strict';

const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Creates the settings folder of n8n-core. Each test file also leaves its figures there. */
module.exports = () => {
  process.env.ENGINE_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'attack-tests-'));
  // Every run takes the same cells; another seed takes others.
  process.env.ATTACK_SEED ??= '1';
};
