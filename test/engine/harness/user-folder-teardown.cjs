'use strict';

const { rmSync } = require('node:fs');

/** Removes the folder that user-folder-setup.cjs created. */
module.exports = () => {
  const folder = process.env.ENGINE_TEST_FOLDER;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
