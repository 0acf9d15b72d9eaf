'use strict';

// Builds dist/, what n8n loads: compiled nodes, credentials and src, beside them their icons and codex
// files. The build fails rather than pack a node that n8n could not show.

const { spawn } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { rm } = require('node:fs/promises');
const path = require('node:path');
// @ts-expect-error -- gulp ships no types
const { dest, parallel, series, src, task } = require('gulp');

const root = __dirname;
const dist = path.join(root, 'dist');

/** Removes the whole former build, so that no file of a deleted node is packed. */
async function clean() {
  await rm(dist, { recursive: true, force: true });
}

/** Compiles with the project's own TypeScript; the declared settings are in tsconfig.build.json. */
async function compile() {
  const tsc = require.resolve('typescript/bin/tsc');
  const compiler = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => {
    compiler.on('error', reject);
    compiler.on('close', resolve);
  });
  if (code !== 0) throw new Error('TypeScript found errors; they are listed above.');
}

/**
 * Copies files to the same place below dist/, byte for byte (gulp 5 would re-encode them as UTF-8).
 *
 * @param {string[]} patterns
 */
function copy(patterns) {
  return src(patterns, { base: root, cwd: root, encoding: false }).pipe(dest(dist));
}

const icons = () => copy(['nodes/**/*.{svg,png}', 'credentials/**/*.{svg,png}']);
const codex = () => copy(['nodes/**/*.node.json']);

/**
 * Checks what n8n will look for: every node and credential type of package.json is built under the
 * class name n8n derives from the file name, its icons are there, and each node's codex file names it.
 */
async function check() {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  /** @type {string[]} */
  const problems = [];
  for (const file of manifest.n8n.nodes) {
    const type = instantiate(file, problems);
    if (type === undefined) continue;
    checkIcon(file, type.description.icon, problems);
    checkCodex(file, `${manifest.name}.${type.description.name}`, problems);
  }
  for (const file of manifest.n8n.credentials) {
    const type = instantiate(file, problems);
    if (type !== undefined) checkIcon(file, type.icon, problems);
  }
  if (problems.length > 0) {
    throw new Error(`The build is not what n8n needs:\n- ${problems.join('\n- ')}`);
  }
}

/**
 * @param {string} file as in package.json's n8n section
 * @param {string[]} problems gets one more line if n8n could not load the file
 */
function instantiate(file, problems) {
  const built = path.join(root, file);
  if (!existsSync(built)) {
    problems.push(`${file} is listed in package.json but was not built`);
    return undefined;
  }
  const className = path.basename(file).split('.')[0] ?? '';
  const Type = require(built)[className];
  if (typeof Type !== 'function') {
    problems.push(`${file} must export a class named ${className}`);
    return undefined;
  }
  return new Type();
}

/**
 * @param {string} file
 * @param {string | { light: string, dark: string } | undefined} icon as n8n knows it, `file:…`
 * @param {string[]} problems
 */
function checkIcon(file, icon, problems) {
  const names = typeof icon === 'object' ? [icon.light, icon.dark] : [icon ?? ''];
  for (const name of names) {
    const target = path.join(root, path.dirname(file), name.replace(/^file:/, ''));
    if (!name.startsWith('file:') || !existsSync(target)) {
      problems.push(`${file} names the icon "${name}", which is not in dist/`);
    }
  }
}

/**
 * @param {string} file
 * @param {string} id what the codex file has to name: package and node
 * @param {string[]} problems
 */
function checkCodex(file, id, problems) {
  const codexFile = file.replace(/\.js$/, '.json');
  if (!existsSync(path.join(root, codexFile))) {
    problems.push(`${codexFile} is missing: without it n8n cannot categorize the node`);
    return;
  }
  const { node } = JSON.parse(readFileSync(path.join(root, codexFile), 'utf8'));
  if (node !== id) problems.push(`${codexFile} is for "${node}", but its node is "${id}"`);
}

task('build:icons', icons);
task('build:codex', codex);
task('build', series(clean, parallel(compile, icons, codex), check));
task('default', task('build'));
