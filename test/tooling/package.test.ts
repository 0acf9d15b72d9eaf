/** What a user installs: the packed tarball, looked at from outside. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot, runNode } from './project-folder';

interface Manifest {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  scripts?: Record<string, string>;
  n8n: { nodes: string[]; credentials: string[] };
}

let folder: string;
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

beforeAll(() => {
  const library = pathToFileURL(join(projectRoot, 'scripts/lib/project.mjs')).href;
  const pack = `import { buildAndPack } from '${library}'; console.log(await buildAndPack());`;
  const tarball = execFileSync(process.execPath, ['--input-type=module', '--eval', pack], {
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

  expect(top.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
  expect(readdirSync(join(unpacked, 'dist')).sort()).toEqual(['credentials', 'nodes', 'src']);
});

it('holds no path of the machine it was made on', () => {
  const telling = filesBelow(unpacked).filter((name) =>
    readFileSync(join(unpacked, name)).includes(projectRoot),
  );

  expect(telling).toEqual([]);
});

it('runs nothing when it is installed', () => {
  const lifecycle = ['preinstall', 'install', 'postinstall', 'prepare'];

  expect(Object.keys(manifest.scripts ?? {}).filter((name) => lifecycle.includes(name))).toEqual(
    [],
  );
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

it('has every icon and codex file of the sources, byte for byte', () => {
  const copied = ['nodes', 'credentials']
    .flatMap((name) => filesBelow(join(projectRoot, name)).map((file) => `${name}/${file}`))
    .filter((name) => /\.(svg|png|node\.json)$/.test(name));

  expect(copied.length).toBeGreaterThan(manifest.n8n.nodes.length);
  for (const name of copied) {
    const original = readFileSync(join(projectRoot, name));
    expect([name, readFileSync(join(unpacked, 'dist', name)).equals(original)]).toEqual([
      name,
      true,
    ]);
  }
});

it('requires exactly the packages it declares', () => {
  const required = new Set<string>();
  for (const name of filesBelow(join(unpacked, 'dist')).filter((file) => file.endsWith('.js'))) {
    const code = readFileSync(join(unpacked, 'dist', name), 'utf8');
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
  for (const name of filesBelow(join(unpacked, 'dist')).filter((file) => file.endsWith('.js'))) {
    const code = readFileSync(join(unpacked, 'dist', name), 'utf8');
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
