#!/usr/bin/env node
/**
 * `npm publish` runs this first (`npm run release-check` alone): may this state be released?
 * Exit code 0: yes. 1: no, and stderr says why.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './lib/paths.mjs';
import { obstaclesToRelease } from './lib/release.mjs';

/** @param {string} name */
const read = (name) => readFileSync(join(projectRoot, name), 'utf8');

/** @param {string[]} args @returns {string[]} lines */
const git = (...args) =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n').filter(Boolean);

const obstacles = obstaclesToRelease({
  manifest: JSON.parse(read('package.json')),
  changelog: read('CHANGELOG.md'),
  security: read('SECURITY.md'),
  readme: read('README.md'),
  tags: git('tag', '--points-at', 'HEAD'),
  changedFiles: git('status', '--porcelain').map((line) => line.slice(3)),
});
if (obstacles.length > 0) {
  console.error(`This is not ready for release (see CONTRIBUTING.md, Releases):`);
  for (const obstacle of obstacles) console.error(`- ${obstacle}`);
  process.exitCode = 1;
}
