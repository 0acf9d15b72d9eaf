#!/usr/bin/env node
/**
 * Checks whether the current state can be released. `npm publish` runs this first; `npm run
 * release-check` runs only this. Exit code 0: yes. Exit code 1: no; stderr lists the reasons.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryAddress } from './lib/package-page.mjs';
import { projectRoot } from './lib/paths.mjs';

/** @param {string} name */
const read = (name) => readFileSync(join(projectRoot, name), 'utf8');

/** @param {string[]} args @returns {string[]} lines */
const git = (...args) =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n').filter(Boolean);

const manifest = JSON.parse(read('package.json'));
const { version, author, homepage, bugs } = manifest;
const { name = '', email = '' } = typeof author === 'object' ? author : {};
// The newest version comes first.
const [, newest = 'nothing'] = /^## (.+)$/m.exec(read('CHANGELOG.md')) ?? [];
const tags = git('tag', '--points-at', 'HEAD');
const changed = git('status', '--porcelain').map((line) => line.slice(3));

/** @type {Array<[isReady: boolean, obstacle: string]>} */
const conditions = [
  [
    repositoryAddress(manifest) !== undefined,
    'package.json has no "repository". The README\'s pictures and links and the provenance need it.',
  ],
  [
    name !== '' && !/ authors$/.test(name),
    'package.json has no "author" with the name of a person or company.',
  ],
  [
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email),
    'package.json has no email address for the "author". n8n requires one.',
  ],
  [Boolean(homepage), 'package.json has no "homepage".'],
  [Boolean(bugs), 'package.json has no "bugs", the address for bug reports.'],
  [
    !read('SECURITY.md').includes('Nothing is published yet'),
    'SECURITY.md does not say where to report a vulnerability.',
  ],
  [
    !/Once the package is published|Until the first release/.test(read('README.md')),
    'README.md still has the installation steps for the time before the first release.',
  ],
  [
    /^\*\s+@\S/m.test(read('.github/CODEOWNERS')),
    '.github/CODEOWNERS does not name the owner of all files (* @account).',
  ],
  [newest === version, `CHANGELOG.md starts with ${newest}, but package.json has ${version}.`],
  [
    tags.includes(`v${version}`),
    `The commit does not have the tag v${version}${tags.length > 0 ? `; it has ${tags.join(', ')}` : ''}.`,
  ],
  [changed.length === 0, `Files have uncommitted changes: ${changed.join(', ')}.`],
];
const obstacles = conditions.flatMap(([isReady, obstacle]) => (isReady ? [] : [`- ${obstacle}`]));
if (obstacles.length > 0) {
  console.error(['Not ready for release (see RELEASING.md):', ...obstacles].join('\n'));
  process.exitCode = 1;
}
