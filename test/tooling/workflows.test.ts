/** What GitHub runs names scripts, files and Node versions that exist here. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './project-folder';

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
const { engines, scripts } = JSON.parse(read('package.json')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};
const ci = read('.github/workflows/ci.yml');
const release = read('.github/workflows/release.yml');

it('CI runs on each even Node from the oldest promised one on', () => {
  const [, list = ''] = /node: \[([\d, ]+)\]/.exec(ci) ?? [];
  const [, oldest = ''] = /^>=(\d+)/.exec(engines.node) ?? [];

  expect(list).toBe('20, 22, 24');
  expect(oldest).toBe('20');
});

it('everything runs at night and for a release, by commands that exist', () => {
  const [, usual = '', full = ''] = /&& '([\w:]+)' \|\| '([\w:]+)'/.exec(ci) ?? [];

  expect([scripts[usual], scripts[full]]).toEqual([
    'node scripts/test.mjs',
    'node scripts/test.mjs --full',
  ]);
  expect(ci).toMatch(/schedule:\n +- cron:/);
});

it('a tag publishes, after all tests, with provenance and the checks of npm publish', () => {
  expect(release).toContain("tags: ['v*']");
  expect(release).toContain('uses: ./.github/workflows/ci.yml');
  expect(release).toContain('id-token: write');
  expect(release).toMatch(/npm publish --provenance/);
  expect(release).not.toContain('npm publish --ignore-scripts');
});

it('the first version may sign in by a token, which no file holds', () => {
  expect(release).toContain('NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}');
  expect(release).toContain(`_authToken" '\${NODE_AUTH_TOKEN}'`);
});

it('may write only what a job needs: nothing by default, code only to make a release', () => {
  for (const name of readdirSync(join(projectRoot, '.github/workflows'))) {
    const [before = '', jobs = ''] = read(`.github/workflows/${name}`).split(/^jobs:$/m);
    expect(before).toMatch(/^permissions:\n {2}contents: read\n$/m);
    expect(before).not.toContain(': write');
    if (name !== 'release.yml') expect(jobs).not.toContain('contents: write');
  }
});

it('scans the list of what is bundled, which packing writes', () => {
  const security = read('.github/workflows/security.yml');
  expect(security).toMatch(/run: npm pack[\s\S]*--lockfile=sbom\.cdx\.json/);
  expect(scripts.prepack).toContain('gulp pack');
});

it('actions are pinned by commit, with their version in a comment', () => {
  const workflows = readdirSync(join(projectRoot, '.github/workflows'));
  const used = workflows.flatMap((name) =>
    [...read(`.github/workflows/${name}`).matchAll(/uses: (?!\.\/)(.*)$/gm)].map(([, one]) => one),
  );

  expect(used.length).toBeGreaterThan(4);
  for (const one of used)
    expect(one).toMatch(/^[\w-]+\/[\w-]+(?:\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
