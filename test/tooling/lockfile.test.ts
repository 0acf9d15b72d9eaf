/**
 * The lockfile works on every platform: `npm ci` rejects one that omits other platforms' packages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project-folder';

interface LockedPackage {
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

it('contains every optional dependency, including those of other platforms', () => {
  // npm omits an optional package from the lockfile if the configured registry lacks that version.
  const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()));
  const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter((name) => !locked.has(name)),
  );

  expect(missing).toEqual([]);
});

it('contains no registry URLs, so that it works with any mirror', () => {
  const addresses = Object.values(packages).map(({ resolved }) => resolved);

  expect(addresses.filter((address) => address?.startsWith('http'))).toEqual([]);
});
