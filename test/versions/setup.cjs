'use strict';

const unpack = require('../engine/harness/packed-setup.cjs');

/** Installs the engines if need be, and does what tests of the packed package need. */
module.exports = async () => {
  const { ensureEngines } = await import('../../scripts/lib/engines.mjs');
  await ensureEngines();
  await unpack();
};
