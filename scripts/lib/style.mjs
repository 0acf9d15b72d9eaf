import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, projectRoot } from './paths.mjs';
import { changedFiles, FailedTool, MINUTE, runTool } from './test-tools.mjs';

/**
 * A tool that checks files.
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} script below node_modules
 * @property {string[]} options
 * @property {(file: string) => boolean} isFor whether it checks a changed file
 */

/** @type {Tool} */
const ESLINT = {
  name: 'eslint',
  script: 'eslint/bin/eslint.js',
  options: ['--max-warnings=0', '--no-warn-ignored'],
  isFor: (file) => isThere(file) && /\.(?:ts|js|mjs|cjs)$/.test(file),
};

/** @type {Tool} */
const PRETTIER = {
  name: 'prettier',
  script: 'prettier/bin/prettier.cjs',
  options: ['--check', '--ignore-unknown'],
  isFor: isThere,
};

/**
 * Runs ESLint and Prettier.
 *
 * @param {'quick' | 'usual' | 'full'} extent quick: checks changed files only; full: ignores the
 *   caches of the tools
 * @throws {FailedTool} with the output of both tools
 */
export async function checkStyle(extent) {
  const results = await Promise.allSettled([look(ESLINT, extent), look(PRETTIER, extent)]);
  const failed = results.filter((result) => result.status === 'rejected');
  if (failed.length > 0) throw new FailedTool(failed.map(({ reason }) => reason.output).join('\n'));
}

/**
 * @param {Tool} tool
 * @param {string} extent
 */
async function look({ name, script, options, isFor }, extent) {
  const files = extent === 'quick' ? changedFiles().filter(isFor) : ['.'];
  if (files.length === 0) return;
  const cached = ['--cache', '--cache-strategy', 'content', '--cache-location'];
  const cache = extent === 'full' ? [] : [...cached, join(cacheDir, `${name}.json`)];
  await runTool(name, script, [...options, ...files, ...cache], 15 * MINUTE);
}

/** @param {string} file path below the project */
function isThere(file) {
  return existsSync(join(projectRoot, file));
}
