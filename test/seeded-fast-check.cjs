'use strict';

// `npm test` sets a seed, so that a run can be repeated; jest by itself draws another each time.
// PROPERTY_RUNS is how many worlds each property tries; fast-check's own default is 100.
const fc = require('../node_modules/fast-check/lib/cjs/fast-check.js');

const { ATTACK_SEED: seed, PROPERTY_RUNS: runs } = process.env;
fc.configureGlobal({
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(runs !== undefined && { numRuns: Number(runs) }),
});

module.exports = fc;
