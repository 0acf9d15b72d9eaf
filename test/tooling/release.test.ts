/**
 * `npm pack` and `npm publish` build the package, make links absolute, and reject a package that is
 * not ready.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { codex, demoProject } from './demo-project';
import { projectRoot, run, type Answer, type ProjectFolder } from './project-folder';

const { files, scripts, version } = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
) as Record<'files' | 'scripts' | 'version', unknown>;
const repository = { type: 'git', url: 'git+https://github.com/somebody/something.git' };
const identity = {
  author: { name: 'Somebody', email: 'somebody@example.com' },
  homepage: 'https://example.com',
  bugs: { url: 'https://example.com/bugs' },
};
const README = 'See ![a](docs/a.png), [b](examples/b.json), [c](https://c.example) and [d](#d).\n';
const ABSOLUTE =
  'See ![a](https://github.com/somebody/something/raw/v1.2.3/docs/a.png), ' +
  '[b](https://github.com/somebody/something/blob/v1.2.3/examples/b.json), ' +
  '[c](https://c.example) and [d](#d).\n';

let project: ProjectFolder;
afterEach(() => {
  project.delete();
});

function start(manifest: Readonly<Record<string, unknown>>): void {
  project = demoProject({ files, scripts, ...manifest });
  project.write('README.md', README);
  project.write('CHANGELOG.md', '# Changelog\n\n## 1.2.3\n\n- First.\n');
  project.write('SECURITY.md', 'Write to us.\n');
  project.write('.github/CODEOWNERS', '* @somebody\n');
  project.write('.gitignore', 'node_modules\ndist\n*.tgz\n');
}

const path = (name: string) => join(project.path, name);
const text = (name: string) => readFileSync(path(name), 'utf8');
const npm = (...args: string[]): Answer => run('npm', args, project.path);
const git = (...args: string[]): Answer =>
  run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], project.path);
const tarballs = () => readdirSync(project.path).filter((name) => name.endsWith('.tgz'));

describe('npm pack', () => {
  it('builds, and packs a README and codex files with absolute links', () => {
    start({ repository });
    expect(npm('pack')).toMatchObject({ code: 0 });

    run('tar', ['-xzf', 'n8n-nodes-demo-1.2.3.tgz'], project.path);
    expect(existsSync(path('package/dist/nodes/Demo/Demo.node.js'))).toBe(true);
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
    const { code, output } = npm('pack', '--foreground-scripts');

    expect(code).toBe(0);
    expect(output).toContain('links of the packed README stay relative');
    run('tar', ['-xzf', 'n8n-nodes-demo-1.2.3.tgz'], project.path);
    expect(text('package/README.md')).toBe(README);
    expect(text('package/dist/nodes/Demo/Demo.node.json')).not.toContain('primaryDocumentation');
  });

  it('packs nothing when the build fails', () => {
    start({ repository });
    project.write('nodes/Demo/Demo.node.json', codex('n8n-nodes-base.demo'));

    expect(npm('pack').code).not.toBe(0);
    expect(tarballs()).toEqual([]);
  });
});

describe('npm publish', () => {
  const check = () => run('npm', ['run', 'release-check', '--silent'], project.path);
  const commit = (...tags: string[]) => {
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'All');
    for (const tag of tags) git('tag', tag);
  };

  it('runs the release check before it publishes', () => {
    start({});

    expect(scripts).toMatchObject({
      'release-check': expect.stringMatching(/^node scripts\/release-check\.mjs\b/),
      prepublishOnly: expect.stringMatching(/^npm run release-check\b/),
    });
  });

  it('passes the release check when version, changelog and tag match', () => {
    start({ repository, ...identity });
    commit('v1.2.3');

    expect(check()).toEqual({ code: 0, output: '' });
  });

  it('lists everything that is not ready', () => {
    start({ version: '1.2.4', author: { name: 'n8n-nodes-demo authors' } });
    project.write('SECURITY.md', 'Nothing is published yet.\n');
    project.write('README.md', '**Once the package is published:** in n8n, enter its name.\n');
    project.write('.github/CODEOWNERS', '# Nobody yet.\n');
    commit('v1.2.3');
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
    commit('v1.2.3');

    expect(check().output).toContain('it must be git+https://github.com/<owner>/<name>.git');
  });
});

it('the newest version in the changelog of this project is the version in package.json', async () => {
  start({});
  const { newestVersion } = await import('../../scripts/lib/release.mjs');

  expect(newestVersion(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'))).toBe(version);
});
