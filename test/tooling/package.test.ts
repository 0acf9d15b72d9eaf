/** What a user installs: the packed tarball, looked at from outside. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot, runNode } from './project-folder';

/** jest's own would look for the module in the sources. */
const nodeRequire = createRequire(__filename);

interface Manifest {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  scripts?: Record<string, string>;
  n8n: { nodes: string[]; credentials: string[] };
}

let folder: string;
let tarball: string;
let unpacked: string;
let manifest: Manifest;

/** Paths of all files below, relative to it, with `/`. */
function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .filter((name) => !name.startsWith('node_modules/'))
    .sort();
}

const builtModules = () =>
  filesBelow(join(unpacked, 'dist'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, code: readFileSync(join(unpacked, 'dist', name), 'utf8') }));

beforeAll(() => {
  const library = pathToFileURL(join(projectRoot, 'scripts/lib/project.mjs')).href;
  const pack = `import { buildAndPack } from '${library}'; console.log(await buildAndPack());`;
  tarball = execFileSync(process.execPath, ['--input-type=module', '--eval', pack], {
    encoding: 'utf8',
  }).trim();
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  unpacked = join(folder, 'package');
  // Where npm would put the dependencies.
  symlinkSync(join(projectRoot, 'node_modules'), join(unpacked, 'node_modules'));
  manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Manifest;
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('holds the built code and the texts about it, and nothing else', () => {
  const top = readdirSync(unpacked).filter((name) => name !== 'node_modules');

  expect(top.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'THIRD_PARTY_LICENSES.md',
    'dist',
    'package.json',
  ]);
  expect(readdirSync(join(unpacked, 'dist')).sort()).toEqual(['credentials', 'nodes', 'src']);
});

it('holds no path of the machine it was made on', () => {
  const telling = filesBelow(unpacked).filter((name) =>
    readFileSync(join(unpacked, name)).includes(projectRoot),
  );

  expect(telling).toEqual([]);
});

it('runs nothing when it is installed', () => {
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
    expect(manifest.scripts ?? {}).not.toHaveProperty(name);
  }
});

it('loads: every node and credential type under the class name n8n looks for', () => {
  const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
  const load = `
    for (const file of ${JSON.stringify(files)}) {
      const name = file.split('/').pop().split('.')[0];
      const type = new (require('./' + file)[name])();
      console.log(type.name ?? type.description.name);
    }`;
  const { code, output } = runNode(['--eval', load], unpacked);

  expect({ code, names: output.trim().split('\n') }).toEqual({
    code: 0,
    names: files.map((file) => {
      const className = basename(file).split('.')[0] ?? '';
      return className.charAt(0).toLowerCase() + className.slice(1);
    }),
  });
});

it('starts without the packages that it depends on: n8n loads all nodes when it starts', () => {
  const load = `
    require('n8n-workflow');
    // Some of them are n8n's too; installed, this package has its own.
    for (const path of Object.keys(require.cache)) {
      if (!path.includes('/n8n-workflow/')) delete require.cache[path];
    }
    for (const file of ${JSON.stringify(manifest.n8n.nodes)}) require('./' + file);
    console.log(JSON.stringify(Object.keys(require.cache)));`;
  const { output } = runNode(['--eval', load], unpacked);

  const loaded = JSON.parse(output) as string[];
  expect(loaded.length).toBeGreaterThan(manifest.n8n.nodes.length);
  const isLoaded = (name: string) => loaded.some((path) => path.includes(`/node_modules/${name}/`));
  expect(Object.keys(manifest.dependencies).filter(isLoaded)).toEqual([]);
});

it('holds only what runs or is shown: no types, no source maps, no module that nothing requires', () => {
  const files = filesBelow(unpacked);
  const known =
    /^(dist\/.+\.(js|svg|png|node\.json|woff2)|dist\/.+\/LICENSE|[A-Z_]+(\.md)?|package\.json)$/;
  expect(files.filter((name) => !known.test(name))).toEqual([]);

  const required = new Set<string>();
  const queue = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (required.has(name)) continue;
    required.add(name);
    const code = readFileSync(join(unpacked, name), 'utf8');
    for (const [, target = ''] of code.matchAll(/\b(?:require|import)\(["'](\.[^"']+)["']\)/g)) {
      queue.push(
        nodeRequire.resolve(join(unpacked, name, '..', target)).slice(unpacked.length + 1),
      );
    }
  }
  expect(files.filter((name) => name.endsWith('.js') && !required.has(name))).toEqual([]);
});

it('holds the two fonts that pictures are set in, with their licence', () => {
  expect(readdirSync(join(unpacked, 'dist/src/drawing/fonts')).sort()).toEqual([
    'LICENSE',
    'dejavu-sans-latin-400-normal.woff2',
    'dejavu-sans-latin-700-normal.woff2',
  ]);
});

it('has nothing that publint objects to', () => {
  const { code, output } = runNode(
    [join(projectRoot, 'node_modules/publint/src/cli.js'), 'run', tarball, '--strict'],
    projectRoot,
  );

  expect(output).toContain('All good!');
  expect(code).toBe(0);
});

it('has every icon of the sources, byte for byte', () => {
  const copied = ['nodes', 'credentials']
    .flatMap((name) => filesBelow(join(projectRoot, name)).map((file) => `${name}/${file}`))
    .filter((name) => /\.(svg|png)$/.test(name));

  expect(copied.length).toBeGreaterThan(manifest.n8n.nodes.length);
  const differing = copied.filter(
    (name) =>
      !readFileSync(join(unpacked, 'dist', name)).equals(readFileSync(join(projectRoot, name))),
  );
  expect(differing).toEqual([]);
});

it('requires exactly the packages it declares', () => {
  const required = new Set<string>();
  for (const { code } of builtModules()) {
    for (const [, target = ''] of code.matchAll(
      /\b(?:require|require\.resolve|import)\(["']([^"']+)["']\)/g,
    )) {
      if (target.startsWith('.') || target.startsWith('node:')) continue;
      const parts = target.split('/');
      required.add(parts.slice(0, target.startsWith('@') ? 2 : 1).join('/'));
    }
  }

  expect([...required].filter((name) => builtinModules.includes(name))).toEqual([]);
  expect([...required].sort()).toEqual(
    [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)].sort(),
  );
});

/**
 * What the nodes take from the n8n they run in. All of it is in n8n-workflow 1.120, except what
 * `src/n8n/n8n-versions.ts` asks for first; whatever is added here must be there too.
 */
const FROM_N8N = [
  'NodeApiError',
  'NodeConnectionTypes',
  'NodeOperationError',
  'updateDisplayOptions',
];
const ASKED_FOR_FIRST = [
  'assertUrlAllowed',
  'calculateWorkflowChecksum',
  'getCredentialAllowedDomains',
  'isNodeClassInstance',
];

it('takes from n8n only what the oldest version has, or what is asked for first', () => {
  const taken = new Set<string>();
  const asked = new Set<string>();
  for (const { name, code } of builtModules()) {
    const variable = /\b(\w+) = (?:__importStar\()?require\("n8n-workflow"\)/.exec(code)?.[1];
    if (variable === undefined) continue;
    for (const [, member = ''] of code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))) {
      taken.add(member);
    }
    if (name.endsWith('src/n8n/n8n-versions.js')) {
      for (const [, names = ''] of code.matchAll(/const \{([^}]+)\} = newer;/g)) {
        for (const one of names.split(',')) asked.add(one.trim());
      }
    } else {
      // Elsewhere nothing is taken by a way that this test does not see.
      expect([name, /(?:Star|Default)\(require\("n8n-workflow"\)\)/.test(code)]).toEqual([
        name,
        false,
      ]);
    }
  }

  expect([...taken].sort()).toEqual(FROM_N8N);
  expect([...asked].sort()).toEqual(ASKED_FOR_FIRST);
});
