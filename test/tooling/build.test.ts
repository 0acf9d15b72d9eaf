/**
 * Building and packing a package with one node and one credential type, and the checks that reject
 * what n8n could not show or what is not ready for a release.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ProjectFolder, projectRoot, run } from './project-folder';

const { files, scripts, version } = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
) as Record<'files' | 'scripts' | 'version', unknown>;
const repository = { type: 'git', url: 'git+https://github.com/somebody/something.git' };
const README = 'See ![a](docs/a.png), [b](examples/b.json), [c](https://c.example) and [d](#d).\n';
const ABSOLUTE =
  'See ![a](https://github.com/somebody/something/raw/v1.2.3/docs/a.png), ' +
  '[b](https://github.com/somebody/something/blob/v1.2.3/examples/b.json), ' +
  '[c](https://c.example) and [d](#d).\n';
const n8n = {
  nodes: ['dist/nodes/Demo/Demo.node.js'],
  credentials: ['dist/credentials/DemoApi.credentials.js'],
};

/** Bytes that are not valid UTF-8, as in every PNG. */
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xfe, 0x00]);
const nodeSource = (name: string, icon: string) =>
  `export class ${name} { description = { name: 'demo', icon: ${icon} }; }\n`;
const codexOf = (node: string) => JSON.stringify({ node, nodeVersion: '1.0', resources: {} });

let project: ProjectFolder;
afterEach(() => {
  project.delete();
});

function start(manifest: Readonly<Record<string, unknown>>): void {
  project = new ProjectFolder([
    ...['gulpfile.js', 'tsconfig.json', 'tsconfig.build.json', '.npmrc', 'scripts'],
  ]);
  const whole = { name: 'n8n-nodes-demo', version: '1.2.3', n8n, files, scripts, ...manifest };
  const contents = {
    'package.json': JSON.stringify(whole),
    'nodes/Demo/Demo.node.ts': nodeSource('Demo', "'file:demo.png'"),
    'nodes/Demo/demo.png': png,
    'nodes/Demo/Demo.node.json': codexOf('n8n-nodes-demo.demo'),
    'nodes/Demo/__schema__/v1.0.0/thing/get.json': '{ "type": "object" }',
    'credentials/DemoApi.credentials.ts':
      "export class DemoApi { name = 'demoApi'; icon = 'file:demoApi.svg'; }\n",
    'credentials/demoApi.svg': '<svg/>',
    'README.md': README,
    'CHANGELOG.md': '# Changelog\n\n## 1.2.3\n\n- First.\n',
    'SECURITY.md': 'Write to us.\n',
    '.github/CODEOWNERS': '* @somebody\n',
    '.gitignore': 'node_modules\ndist\n*.tgz\n',
  };
  for (const [name, content] of Object.entries(contents)) project.write(name, content);
}

const path = (name: string) => join(project.path, name);
const text = (name: string) => readFileSync(path(name), 'utf8');

describe('npm pack', () => {
  const pack = () => {
    const answer = run('npm', ['pack', '--foreground-scripts'], project.path);
    run('tar', ['-xzf', 'n8n-nodes-demo-1.2.3.tgz'], project.path);
    return answer;
  };

  it('packs what it built, icons and schemas unchanged, texts with absolute links', () => {
    start({ repository });
    project.write('dist/nodes/Gone/Gone.node.js', '');

    expect(pack()).toMatchObject({ code: 0 });
    expect(existsSync(path('package/dist/nodes/Demo/Demo.node.js'))).toBe(true);
    expect(readFileSync(path('package/dist/nodes/Demo/demo.png'))).toEqual(png);
    const schema = 'nodes/Demo/__schema__/v1.0.0/thing/get.json';
    expect(text(`package/dist/${schema}`)).toBe(text(schema));
    expect(existsSync(path('package/dist/credentials/demoApi.svg'))).toBe(true);
    expect(existsSync(path('package/dist/nodes/Gone'))).toBe(false);
    expect(text('package/README.md')).toBe(ABSOLUTE);
    expect(JSON.parse(text('package/dist/nodes/Demo/Demo.node.json'))).toMatchObject({
      resources: {
        primaryDocumentation: [
          { url: 'https://github.com/somebody/something/blob/v1.2.3/docs/nodes/Demo.md' },
        ],
      },
    });
    expect(text('README.md')).toBe(README);
  });

  it('keeps links relative, and says so, when there is no repository', () => {
    start({});

    expect(pack()).toEqual({
      code: 0,
      output: expect.stringContaining('links of the packed README stay relative'),
    });
    expect(text('package/README.md')).toBe(README);
    expect(text('package/dist/nodes/Demo/Demo.node.json')).not.toContain('primaryDocumentation');
  });
});

describe('the build fails', () => {
  const build = () => project.run('gulp/bin/gulp.js', ['build']);

  it('on a type error', () => {
    start({});
    project.write('src/wrong.ts', 'export const n: number = "text";');
    const { code, output } = build();

    expect(output).toContain('src/wrong.ts');
    expect(code).not.toBe(0);
  });

  it('on everything that n8n could not show', () => {
    const more = ['Bare', 'Gone', 'Unnamed'].map((name) => `dist/nodes/${name}/${name}.node.js`);
    start({ n8n: { ...n8n, nodes: [...n8n.nodes, ...more] } });
    const dark = "{ light: 'file:demo.png', dark: 'file:demo.dark.png' }";
    project.write('nodes/Demo/Demo.node.ts', nodeSource('Demo', dark));
    project.write('nodes/Demo/Demo.node.json', codexOf('n8n-nodes-base.demo'));
    project.write('nodes/Bare/Bare.node.ts', nodeSource('Bare', "'file:../Demo/demo.png'"));
    project.write('nodes/Unnamed/Unnamed.node.ts', nodeSource('Other', "'file:demo.png'"));
    rmSync(path('credentials/demoApi.svg'));
    const { code, output } = build();

    expect(code).not.toBe(0);
    for (const problem of [
      'names the icon "file:demo.dark.png", which is not in dist/',
      'is for "n8n-nodes-base.demo", but its node is "n8n-nodes-demo.demo"',
      'Bare.node.json is missing',
      'Gone.node.js is listed in package.json but was not built',
      'must export a class named Unnamed',
      'names the icon "file:demoApi.svg"',
    ]) {
      expect(output).toContain(problem);
    }
  });
});

describe('the release check, which npm publish runs first,', () => {
  const check = () => run('npm', ['run', 'release-check', '--silent'], project.path);
  const commit = () => {
    const as = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    const commands = [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'All'],
      ['tag', 'v1.2.3'],
    ];
    for (const args of commands) run('git', [...as, ...args], project.path);
  };

  it('passes when version, changelog and tag match', () => {
    start({
      repository,
      author: { name: 'Somebody', email: 'somebody@example.com' },
      homepage: 'https://example.com',
      bugs: { url: 'https://example.com/bugs' },
    });
    commit();

    expect(check()).toEqual({ code: 0, output: '' });
    expect(scripts).toMatchObject({
      'release-check': expect.stringMatching(/^node scripts\/release-check\.mjs\b/),
      prepublishOnly: expect.stringMatching(/^npm run release-check\b/),
    });
  });

  it('lists everything that is not ready', () => {
    start({ version: '1.2.4', author: { name: 'n8n-nodes-demo authors' } });
    project.write('SECURITY.md', 'Nothing is published yet.\n');
    project.write('README.md', '**Once the package is published:** in n8n, enter its name.\n');
    project.write('.github/CODEOWNERS', '# Nobody yet.\n');
    commit();
    project.write('new.txt', '');
    const { code, output } = check();

    expect(code).toBe(1);
    expect(output.match(/^- .*$/gm)).toEqual([
      expect.stringContaining('package.json has no "repository"'),
      '- package.json has no "author" with the name of a person or company.',
      '- package.json has no email address for the "author". n8n requires one.',
      '- package.json has no "homepage".',
      expect.stringContaining('- package.json has no "bugs"'),
      '- SECURITY.md does not say where to report a vulnerability.',
      '- README.md still has the installation steps for the time before the first release.',
      '- .github/CODEOWNERS does not name the owner of all files (* @account).',
      '- CHANGELOG.md starts with 1.2.3, but package.json has 1.2.4.',
      '- The commit does not have the tag v1.2.4; it has v1.2.3.',
      '- Files have uncommitted changes: new.txt.',
    ]);
  });

  it('rejects a repository address from which no link can be built', () => {
    start({ repository: 'somewhere' });
    commit();

    expect(check().output).toContain('it must be git+https://github.com/<owner>/<name>.git');
  });
  it('finds the version of this project at the top of its changelog', () => {
    const changelog = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8');
    expect(/^## (.+)$/m.exec(changelog)?.[1]).toBe(version);
  });
});
