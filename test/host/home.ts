import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the user folder of an n8n as after its first start: with the packed nodes and a migrated
 * database. The first start takes longer than later ones. It therefore happens once per n8n and
 * package, and its result is copied. `npm run demo`, the update through Community nodes and the
 * last n8n 1 have their own first starts.
 *
 * @param tarball the output of `npm pack`
 * @param userFolder a folder that does not exist yet
 */
export async function makeHome(
  version: string,
  tarball: string,
  userFolder: string,
  startOnce: (home: string) => Promise<void>,
): Promise<void> {
  const { fingerprint } = await import('../../scripts/lib/fingerprint.mjs');
  const { withLock } = await import('../../scripts/lib/lock.mjs');
  const { cacheDir } = await import('../../scripts/lib/paths.mjs');

  const homes = join(cacheDir, 'homes');
  const home = join(homes, `${version}-${fingerprint(tarball, ['']).slice(0, 12)}`);
  await withLock(join(cacheDir, 'homes.lock'), async () => {
    if (existsSync(join(home, '.complete'))) return;
    rmSync(homes, { recursive: true, force: true });
    await startOnce(home);
    writeFileSync(join(home, '.complete'), '');
  });
  cpSync(home, userFolder, { recursive: true });
}
