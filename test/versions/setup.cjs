'use strict';

const makeUserFolder = require('../engine/harness/user-folder-setup.cjs');

/** Installs the engines if need be, and does what all engine tests need. */
module.exports = async () => {
  const { ensureEngines } = await import('../../scripts/lib/engines.mjs');
  await ensureEngines();
  makeUserFolder();
};
