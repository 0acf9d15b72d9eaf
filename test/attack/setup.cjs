'use strict';

const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Makes the folder of n8n-core's settings, in which each test file also leaves its figures. */
module.exports = () => {
  process.env.ENGINE_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'attack-tests-'));
  // One seed for all files, so that one number repeats a whole run.
  process.env.ATTACK_SEED ??= String(Date.now() % 1_000_000_007);
};
