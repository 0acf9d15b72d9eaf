'use strict';

const { rmSync } = require('node:fs');

/** Removes what user-folder-setup.cjs made. */
module.exports = () => {
  const folder = process.env.ENGINE_TEST_FOLDER;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
