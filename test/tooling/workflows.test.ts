/** GitHub's workflows name only scripts, files and Node.js versions that exist here. */
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

it('CI runs on Node 20, 22 and 24, and package.json requires at least Node 20', () => {
  const [, list = ''] = /node: \[([\d, ]+)\]/.exec(ci) ?? [];
  const [, oldest = ''] = /^>=(\d+)/.exec(engines.node) ?? [];

  expect(list).toBe('20, 22, 24');
  expect(oldest).toBe('20');
});

it('CI has a schedule and uses the npm scripts for the usual and the full tests', () => {
  const [, usual = '', full = ''] = /&& '([\w:]+)' \|\| '([\w:]+)'/.exec(ci) ?? [];

  expect([scripts[usual], scripts[full]]).toEqual([
    'node scripts/test.mjs',
    'node scripts/test.mjs --full',
  ]);
  expect(ci).toMatch(/schedule:\n +- cron:/);
});

it('a version tag runs CI and publishes with provenance and the release check', () => {
  expect(release).toContain("tags: ['v*']");
  expect(release).toContain('uses: ./.github/workflows/ci.yml');
  expect(release).toContain('id-token: write');
  expect(release).toMatch(/npm publish --provenance/);
  expect(release).not.toContain('npm publish --ignore-scripts');
});

it('the release workflow reads the npm token from a secret', () => {
  expect(release).toContain('NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}');
  expect(release).toContain(`_authToken" '\${NODE_AUTH_TOKEN}'`);
});

it('workflows are read-only by default, and only the release workflow can write contents', () => {
  for (const name of readdirSync(join(projectRoot, '.github/workflows'))) {
    const [before = '', jobs = ''] = read(`.github/workflows/${name}`).split(/^jobs:$/m);
    expect(before).toMatch(/^permissions:\n {2}contents: read\n$/m);
    expect(before).not.toContain(': write');
    if (name !== 'release.yml') expect(jobs).not.toContain('contents: write');
  }
});

it('the security workflow scans the SBOM that npm pack writes', () => {
  const security = read('.github/workflows/security.yml');
  expect(security).toMatch(/run: npm pack[\s\S]*--lockfile=sbom\.cdx\.json/);
  expect(scripts.prepack).toContain('gulp pack');
});

it('actions are pinned to a commit, with their version in a comment', () => {
  const workflows = readdirSync(join(projectRoot, '.github/workflows'));
  const used = workflows.flatMap((name) =>
    [...read(`.github/workflows/${name}`).matchAll(/uses: (?!\.\/)(.*)$/gm)].map(([, one]) => one),
  );

  expect(used.length).toBeGreaterThan(4);
  for (const one of used)
    expect(one).toMatch(/^[\w-]+\/[\w-]+(?:\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
