'use strict';

// Builds dist/, which n8n loads: compiled nodes, credentials and src, plus icons, codex files and
// output schemas. `pack` also bundles all code and libraries into one module, and lists them in
// sbom.cdx.json and THIRD_PARTY_LICENSES.md. Both fail if n8n could not show a node.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { existsSync, readFileSync } = require('node:fs');
const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
// @ts-expect-error -- gulp ships no types
const { dest, parallel, series, src, task } = require('gulp');

const root = __dirname;
const dist = path.join(root, 'dist');

/** TypeScript's output for a module without code. */
const EMPTY_MODULE =
  /^"use strict";\s*Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);\s*$/;

/** Reads package.json at the time of the call. */
const manifest = () => JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Removes the whole previous build, so that no file of a deleted node is packed. */
async function clean() {
  await rm(dist, { recursive: true, force: true });
}

/** Compiles with the project's own TypeScript. The settings are in tsconfig.build.json. */
async function compile() {
  const tsc = path.join(root, 'node_modules/typescript-7/bin/tsc');
  const compiler = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = await once(compiler, 'close');
  if (code !== 0) throw new Error('TypeScript found errors; they are listed above.');
  await removeTypes();
}

/** Removes modules that contain only types. They compile to an empty module that no code requires. */
async function removeTypes() {
  for (const file of await readdir(dist, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const code = await readFile(path.join(dist, file), 'utf8');
    if (EMPTY_MODULE.test(code)) await rm(path.join(dist, file));
  }
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
/**
 * Copies the output schemas. From them, n8n's editor lists the fields of an operation that has not
 * run yet.
 */
const schemas = () => copy(['nodes/*/__schema__/**/*.json']);
/** Copies the lists of hosts, which src/input reads. */
const lists = () => copy(['src/input/hosts/*.txt']);

/** Copies the codex files, with a link to the node's page in the repository that package.json names. */
async function codex() {
  const { documentationOf } = await import('./scripts/lib/package-page.mjs');
  for (const node of manifest().n8n.nodes) {
    const file = node.replace(/^dist\/(.*)\.js$/, '$1.json');
    // check() reports a missing codex file.
    if (!existsSync(path.join(root, file))) continue;
    const content = JSON.parse(await readFile(path.join(root, file), 'utf8'));
    const folder = path.basename(path.dirname(file));
    const resources = { ...content.resources, ...documentationOf(folder, manifest()) };
    await mkdir(path.join(dist, path.dirname(file)), { recursive: true });
    await writeFile(path.join(dist, file), JSON.stringify({ ...content, resources }, null, 2));
  }
}

/**
 * Changes the links in README.md, which npm packs: `links:absolute` before, `links:relative` after it.
 *
 * @param {'withAbsoluteLinks' | 'withRelativeLinks'} change
 */
async function changeLinks(change) {
  const page = await import('./scripts/lib/package-page.mjs');
  const readme = path.join(root, 'README.md');
  const before = await readFile(readme, 'utf8');
  const after = page[change](before, manifest());
  if (after !== before) await writeFile(readme, after);
  if (page.repositoryAddress(manifest()) !== undefined) return;
  console.error('package.json has no "repository": links of the packed README stay relative.');
}

/** Bundles dist/ for packing, and lists the bundled packages with their licenses. */
async function bundled() {
  const { bundle } = await import('./scripts/lib/bundle.mjs');
  const { bomOf, noticesOf } = await import('./scripts/lib/notices.mjs');
  const { n8n } = manifest();
  const parts = await bundle(root, [...n8n.nodes, ...n8n.credentials]);
  const bom = JSON.stringify(bomOf(manifest(), parts), null, 2);
  await writeFile(path.join(root, 'sbom.cdx.json'), `${bom}\n`);
  await writeFile(path.join(root, 'THIRD_PARTY_LICENSES.md'), noticesOf(parts));
}

/**
 * Checks the files that n8n needs. Every node and credential type of package.json must have the
 * class name that n8n derives from the file name. Its icons must exist, and each node's codex file
 * must name it.
 */
async function check() {
  const { name, n8n } = manifest();
  /** @type {string[]} */
  const problems = [];
  for (const file of n8n.nodes) {
    const type = instantiate(file, problems);
    if (type === undefined) continue;
    checkIcon(file, type.description.icon, problems);
    checkCodex(file, `${name}.${type.description.name}`, problems);
  }
  for (const file of n8n.credentials) {
    const type = instantiate(file, problems);
    if (type !== undefined) checkIcon(file, type.icon, problems);
  }
  if (problems.length > 0) {
    throw new Error(`The build is not what n8n needs:\n- ${problems.join('\n- ')}`);
  }
}

/**
 * @param {string} file path as in the n8n section of package.json
 * @param {string[]} problems list that gets another line if n8n could not load the file
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
 * @param {string | { light: string, dark: string } | undefined} icon icon in n8n's form, `file:…`
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
 * @param {string} id package and node, which the codex file must name
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

const files = series(clean, parallel(compile, icons, schemas, lists, codex));
task('build', series(files, check));
task('pack', series(files, bundled, check));
task('links:absolute', () => changeLinks('withAbsoluteLinks'));
task('links:relative', () => changeLinks('withRelativeLinks'));
task('default', task('build'));
