#!/usr/bin/env node
/**
 * Checks whether the current state can be released. `npm publish` runs this first; `npm run
 * release-check` runs only this. Exit code 0: yes. Exit code 1: no; stderr lists the reasons.
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
  codeOwners: read('.github/CODEOWNERS'),
  tags: git('tag', '--points-at', 'HEAD'),
  changedFiles: git('status', '--porcelain').map((line) => line.slice(3)),
});
if (obstacles.length > 0) {
  console.error(`Not ready for release (see RELEASING.md):`);
  for (const obstacle of obstacles) console.error(`- ${obstacle}`);
  process.exitCode = 1;
}
