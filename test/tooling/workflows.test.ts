/** What GitHub runs names scripts, files and Node versions that exist here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './project-folder';

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };

it('CI runs on each even Node from the oldest promised one on', () => {
  const [, list = ''] = /node: \[([\d, ]+)\]/.exec(read('.github/workflows/ci.yml')) ?? [];
  const [, oldest = ''] = /^>=(\d+)/.exec(engines.node) ?? [];

  expect(list).toBe('20, 22, 24');
  expect(oldest).toBe('20');
});

it('a tag publishes, after all tests, with provenance and the checks of npm publish', () => {
  const release = read('.github/workflows/release.yml');

  expect(release).toContain("tags: ['v*']");
  expect(release).toContain('uses: ./.github/workflows/ci.yml');
  expect(release).toContain('id-token: write');
  expect(release).toMatch(/npm publish --provenance/);
  expect(release).not.toContain('npm publish --ignore-scripts');
});
