'use strict';

// `npm test` sets a seed, so that a run can be repeated. Without it, fast-check draws a new one.
// PROPERTY_RUNS is the number of scenarios per property; fast-check's default is 100.
const fc = require('../node_modules/fast-check/lib/cjs/fast-check.js');

const { ATTACK_SEED: seed, PROPERTY_RUNS: runs } = process.env;
fc.configureGlobal({
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(runs !== undefined && { numRuns: Number(runs) }),
});

module.exports = fc;
