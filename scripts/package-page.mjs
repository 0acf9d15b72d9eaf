#!/usr/bin/env node
/**
 * Changes the links in README.md before `npm pack` packs it (`absolute`: links that work on the package's
 * page) and changes them back afterwards (`relative`). See lib/package-page.mjs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryAddress, withAbsoluteLinks, withRelativeLinks } from './lib/package-page.mjs';
import { projectRoot } from './lib/paths.mjs';

const changes = { absolute: withAbsoluteLinks, relative: withRelativeLinks };
const wanted = process.argv[2];
if (wanted !== 'absolute' && wanted !== 'relative') {
  console.error('Usage: node scripts/package-page.mjs absolute|relative');
  process.exit(2);
}
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
const path = join(projectRoot, 'README.md');
const before = readFileSync(path, 'utf8');
const after = changes[wanted](before, manifest);
if (after !== before) writeFileSync(path, after);
if (wanted === 'absolute' && repositoryAddress(manifest) === undefined) {
  console.error(
    'package.json has no "repository", so the links of the packed README stay relative. That is fine for a test; a release needs one (see RELEASING.md).',
  );
}
