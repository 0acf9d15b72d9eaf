'use strict';

const { execFileSync } = require('node:child_process');
const { dirname, join } = require('node:path');

/**
 * Packs the package and unpacks it into a folder where it finds n8n-workflow. Jest's workers
 * inherit the environment variable with the path.
 */
module.exports = async () => {
  const { buildAndPack } = await import('../../../scripts/lib/project.mjs');
  const tarball = await buildAndPack();
  execFileSync('tar', ['-xzf', tarball, '-C', dirname(tarball)]);
  process.env.PACKED_PACKAGE = join(dirname(tarball), 'package');
};
