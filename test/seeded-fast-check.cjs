'use strict';

// Random worlds are other ones for each commit, and the same each time one commit is tested.
const fc = require('../node_modules/fast-check/lib/cjs/fast-check.js');

const seed = process.env.ATTACK_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

module.exports = fc;
