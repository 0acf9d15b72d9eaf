'use strict';

const unpack = require('../engine/harness/packed-setup.cjs');

/** Installs the engines if necessary, and prepares the tests of the packed package. */
module.exports = async () => {
  const { ensureEngines } = await import('../../scripts/lib/engines.mjs');
  await ensureEngines();
  await unpack();
};
