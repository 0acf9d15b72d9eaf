import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot, runNode } from './project-folder';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  scripts?: Record<string, string>;
  n8n: { nodes: string[]; credentials: string[] };
}

let folder: string;
let tarball: string;
let unpacked: string;
let manifest: Manifest;
/** The code that n8n loads, bundled in one module. */
let bundle: string;
/** The code of the worker thread that draws pictures. */
let thread: string;

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .filter((name) => !name.startsWith('node_modules/'))
    .sort();
}

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
const sources = ['nodes', 'credentials', 'src'].flatMap((name) =>
  filesBelow(join(projectRoot, name))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(join(name, file))),
);

beforeAll(() => {
  const library = pathToFileURL(join(projectRoot, 'scripts/lib/project.mjs')).href;
  const pack = `import { buildAndPack } from '${library}'; console.log(await buildAndPack());`;
  tarball = execFileSync(process.execPath, ['--input-type=module', '--eval', pack], {
    encoding: 'utf8',
  }).trim();
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  unpacked = join(folder, 'package');
  // As in n8n, n8n-workflow is the only package that the code can find.
  mkdirSync(join(unpacked, 'node_modules'));
  symlinkSync(
    join(projectRoot, 'node_modules/n8n-workflow'),
    join(unpacked, 'node_modules/n8n-workflow'),
  );
  manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Manifest;
  bundle = readFileSync(join(unpacked, 'dist/index.js'), 'utf8');
  thread = readFileSync(join(unpacked, 'dist/picture-worker.js'), 'utf8');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('contains only documents, two modules, and what n8n and they load', () => {
  const files = filesBelow(unpacked);
  const known =
    /^dist\/((nodes|credentials)\/.+\.(svg|png|node\.json)|nodes\/.+\/__schema__\/.+\.json|index_bg\.wasm|[\w-]+\.woff2)$/;
  const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD_PARTY_LICENSES.md'];
  const lists = readdirSync(join(projectRoot, 'src/input/hosts')).map((name) => `dist/${name}`);

  expect(files.filter((name) => !known.test(name))).toEqual(
    [
      ...documents,
      'package.json',
      'dist/index.js',
      'dist/picture-worker.js',
      ...lists,
      ...manifest.n8n.nodes,
      ...manifest.n8n.credentials,
    ].sort(),
  );
});

it('is smaller than 7 MB, tells no path, and has nothing to install or run at installation', () => {
  const contents = filesBelow(unpacked).map((name) => readFileSync(join(unpacked, name)));

  expect(contents.filter((content) => content.includes(projectRoot))).toEqual([]);
  expect(manifest.dependencies ?? {}).toEqual({});
  expect(Object.keys(manifest.peerDependencies)).toEqual(['n8n-workflow']);
  expect(Buffer.concat(contents).length).toBeLessThan(7_000_000);
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
    expect(manifest.scripts ?? {}).not.toHaveProperty(name);
  }
});

it('exports every node and credential type under the class name that n8n expects', () => {
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

it('runs no bundled library when n8n loads all nodes', () => {
  const load = `
    const { Session } = require('node:inspector');
    const session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true });
    for (const file of ${JSON.stringify(manifest.n8n.nodes)}) require('./' + file);
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      const { functions } = result.find(({ url }) => url.endsWith('/dist/index.js'));
      const run = functions.filter(({ ranges }) => ranges[0].count > 0);
      console.log(JSON.stringify(run.map(({ functionName }) => functionName)));
    });`;
  const { output } = runNode(['--eval', load], unpacked);

  // Functions that wrap a module are named after the module's file.
  const files = (JSON.parse(output) as string[]).filter((name) =>
    /^[^ ]+\/[^ ]+\.c?js$/.test(name),
  );
  expect(files).toEqual(expect.arrayContaining([manifest.n8n.nodes[0]]));
  expect(files.filter((name) => !/^(exports\.nodes|dist)\//.test(name))).toEqual([]);
  expect(files.filter((name) => name.includes('/graph/'))).toEqual([]);
});

it('lists its bundled packages, of exact versions, with their licenses in the SBOM and in the package', async () => {
  const bom = JSON.parse(read('sbom.cdx.json')) as { components: Array<{ name: string }> };
  const { MAIL_PACKAGES } = await import('../../scripts/free-mail.mjs');
  const inBundle = [
    ...(bundle + thread).matchAll(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm),
  ].map(([, name]) => name);
  // axios and tldts contain the last two.
  const others = [
    '@fontsource/dejavu-sans',
    ...MAIL_PACKAGES,
    'proxy-from-env',
    'publicsuffix-list',
  ];

  const listed = new Set(bom.components.map(({ name }) => name));
  expect(listed).toEqual(new Set([...inBundle, ...others]));
  const named = Object.entries(manifest.devDependencies).filter(([name]) => listed.has(name));
  expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const notices = readFileSync(join(unpacked, 'THIRD_PARTY_LICENSES.md'), 'utf8');
  const chapters = [...notices.matchAll(/^## (\S+) \d/gm)].map(([, name]) => name);
  expect(new Set(chapters)).toEqual(listed);
  expect(bundle).not.toContain('/locales/de.');
});

it("passes n8n's scanner but for the author, and n8n's rules for Cloud refuse its libraries", () => {
  const { output } = runNode([join(__dirname, 'scan.mjs'), unpacked], projectRoot);
  const { selfHosted, cloud } = JSON.parse(output) as Record<string, Record<string, number>>;

  // A release fills in the author.
  expect(selfHosted).toEqual({ '@n8n/community-nodes/valid-author': 1 });
  expect(cloud?.['@n8n/community-nodes/no-restricted-globals']).toBeGreaterThan(45);
});

it('passes publint', () => {
  const { code, output } = runNode(
    [join(projectRoot, 'node_modules/publint/src/cli.js'), 'run', tarball, '--strict'],
    projectRoot,
  );

  expect(output).toContain('All good!');
  expect(code).toBe(0);
});

it('is ASCII only, and no String.raw template is changed by escaping', () => {
  expect(/[^\0-\x7f]/.test(bundle)).toBe(false);
  // Escaping would change the meaning only in these templates.
  expect(sources.filter((code) => /String\.raw`[^`]*[^\0-\x7f`]/.test(code))).toEqual([]);
});

it("requires no module except n8n-workflow and Node's own", () => {
  const required = [
    ...(bundle + thread).matchAll(/\b(?:require|require\.resolve|import)\(["']([^"']+)["']\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^(\.|node:)/.test(target) && !builtinModules.includes(target));

  expect([...new Set(required)]).toEqual(['n8n-workflow']);
});

it('keeps class names, because they identify errors', () => {
  const classes = sources
    .flatMap((code) => [...code.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)])
    .map(([, name = '']) => name);

  expect(classes.length).toBeGreaterThan(20);
  expect(classes.filter((name) => !bundle.includes(`class ${name} `))).toEqual([]);
});

it('uses only exports that n8n-workflow 1.120 has, and checks for newer ones first', () => {
  const used = [...bundle.matchAll(/\bn8n_workflow\w*\.(\w+)/g)].map(([, name]) => name);
  const checked = [...bundle.matchAll(/const \{([^}]+)\} = newer;/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );

  // Any export added here must exist there.
  expect([...new Set(used)].sort()).toEqual([
    ...['NodeApiError', 'NodeConnectionTypes', 'NodeOperationError', 'updateDisplayOptions'],
  ]);
  // By `src/n8n/n8n-versions.ts`.
  expect([...new Set(checked)].sort()).toEqual([
    ...['assertUrlAllowed', 'calculateWorkflowChecksum', 'getCredentialAllowedDomains'],
    'isNodeClassInstance',
  ]);
  // Only the file that checks takes n8n-workflow as a whole.
  const whole = [...bundle.matchAll(/(\w+) = .*require\("n8n-workflow"\)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'n8n_workflow_1');
  expect(whole).toEqual(['n8n']);
});
