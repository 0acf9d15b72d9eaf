import { build } from 'esbuild';
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { MAIL_PACKAGES } from '../free-mail.mjs';
import { partsOf } from './notices.mjs';

/** All nodes are in one module, so that they share state, above all the rate limiters. */
const BUNDLE = 'index.js';

/** Packages that n8n provides. */
const OF_N8N = ['n8n-workflow'];

/**
 * Packages that are replaced by an empty class, or by a function that prints nothing: `debug`, and its
 * `supports-color`. axios requires `form-data` for forms, which nothing here sends. zod sets its
 * English messages apart from the file with those of all languages.
 */
const UNUSED = /^(?:supports-color|form-data|debug)$|\/locales\/index\.cjs$/;

/**
 * Bundles a built `dist/` for packing. The result is one module with all code and libraries, plus
 * the files that the module reads. Where n8n looks for nodes and credentials, small files require
 * that module. As with separate files, modules are evaluated when they are first required.
 *
 * @param {string} root folder of the project
 * @param {string[]} files files that n8n loads, as in package.json (`dist/…`)
 * @returns {Promise<import('./notices.mjs').Part[]>} the packages in the bundle, sorted by name
 * @throws {Error} if esbuild reports a warning
 */
export async function bundle(root, files) {
  const dist = join(root, 'dist');
  const names = files.map((file) => relative('dist', file));
  const contents = names
    .map((name) => `exports['${name}'] = () => require('./${name}');`)
    .join('\n');
  const main = await bundled(root, BUNDLE, { stdin: { contents, resolveDir: dist } });
  // Each worker thread needs its own file to start from.
  const isOurs = (/** @type {string} */ path) => path.startsWith(`${dist}/`);
  const isThread = (/** @type {string} */ path) => isOurs(path) && path.endsWith('.js');
  const threads = await Promise.all(
    main.assets
      .filter(isThread)
      .map(async (path) => await bundled(root, basename(path), { entryPoints: [path] })),
  );
  const all = [main, ...threads];
  const inputs = all.flatMap((one) => one.inputs);
  const assets = all.flatMap((one) => one.assets).filter((path) => !isThread(path));
  for (const asset of assets) copyFileSync(asset, join(dist, basename(asset)));
  for (const path of [...inputs, ...assets].filter(isOurs)) rmSync(path, { force: true });
  removeEmptyFolders(dist);
  for (const { path, text } of all) {
    // V8 needs twice the memory for text that is not all ASCII. esbuild does not escape comments
    // and regular expressions, in which an escape has the same meaning.
    const escaped = (/** @type {string} */ unit) =>
      `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    writeFileSync(path, text.replace(/[^\0-\x7f]/g, escaped));
  }
  for (const name of names) {
    const way = relative(dirname(name), BUNDLE);
    writeFileSync(
      join(dist, name),
      `'use strict';\nmodule.exports = require('${way}')['${name}']();\n`,
    );
  }
  const hasMailHosts = assets.some((path) => basename(path) === 'free-mail.txt');
  const sources = (hasMailHosts ? MAIL_PACKAGES : []).map((name) =>
    join(root, 'node_modules', name, 'package.json'),
  );
  return partsOf([...inputs, ...assets, ...sources]);
}

/**
 * @param {string} root folder of the project
 * @param {string} name name of the file in `dist/`
 * @param {import('esbuild').BuildOptions} from esbuild options with the entry point
 * @returns the bundle's text, its source files, and the files that it reads from its folder
 * @throws {Error} if esbuild reports a warning
 */
async function bundled(root, name, from) {
  /** @type {Set<string>} */
  const assets = new Set();
  const path = join(root, 'dist', name);
  const { metafile, warnings, outputFiles } = await build({
    ...from,
    absWorkingDir: root,
    outfile: path,
    bundle: true,
    platform: 'node',
    target: 'node20',
    external: OF_N8N,
    plugins: [unused, namedClasses, beside(assets)],
    // n8n's rules forbid it, and the libraries print only warnings that n8n's users cannot act on.
    drop: ['console'],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'));
  return {
    path,
    text: outputFiles.map(({ text }) => text).join('\n'),
    inputs: Object.keys(metafile.inputs).map((input) => join(root, input)),
    assets: [...assets],
  };
}

/** @type {import('esbuild').Plugin} */
const unused = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /^/, namespace: 'unused' }, ({ path }) => ({
      contents:
        path === 'debug'
          ? 'const debug = () => Object.assign(() => {}, { enabled: false });' +
            'module.exports = debug; debug.default = debug;'
          : 'module.exports = class {};',
    }));
  },
};

/**
 * Keeps the names of classes, by which code identifies errors. esbuild converts a top-level class
 * that refers to itself to `var Name = class _Name`. Within a block, the class keeps its name.
 *
 * @type {import('esbuild').Plugin}
 */
const namedClasses = {
  name: 'named-classes',
  setup({ onLoad }) {
    onLoad({ filter: /\.c?js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      if (!/^class /m.test(code)) return undefined;
      const strict = /^\s*(['"])use strict\1/.test(code) ? '"use strict";' : '';
      return { contents: `${strict}{${code}\n}`, loader: 'js' };
    });
  },
};

/**
 * Stores files that `require.resolve` names next to the bundle.
 *
 * @param {Set<string>} assets set that gets the paths of these files
 * @returns {import('esbuild').Plugin}
 */
const beside = (assets) => ({
  name: 'beside',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^/ }, async ({ path, kind, importer, resolveDir }) => {
      if (kind !== 'require-resolve') return undefined;
      const found = await resolve(path, { kind: 'require-call', importer, resolveDir });
      assets.add(found.path);
      return { path: `./${basename(found.path)}`, external: true, errors: found.errors };
    });
  },
});

/** @param {string} folder */
function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) continue;
    removeEmptyFolders(path);
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
}
