'use strict';

const { execFileSync } = require('node:child_process');
const { dirname, join } = require('node:path');

const makeUserFolder = require('./user-folder-setup.cjs');

/** Packs the package and unpacks it where it finds n8n-workflow; jest's workers inherit the variable. */
module.exports = async () => {
  const { buildAndPack } = await import('../../../scripts/lib/project.mjs');
  const tarball = await buildAndPack();
  execFileSync('tar', ['-xzf', tarball, '-C', dirname(tarball)]);
  process.env.PACKED_PACKAGE = join(dirname(tarball), 'package');
  makeUserFolder();
};
