import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the user folder of an n8n as after its first start: with the packed nodes and a migrated
 * database. The first start takes longer than later ones, so it happens once per n8n and package, and
 * its result is copied.
 */
export async function makeHome(tarball: string, userFolder: string): Promise<void> {
  const { fingerprint } = await import('../../scripts/lib/fingerprint.mjs');
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { withLock } = await import('../../scripts/lib/lock.mjs');
  const { installNodes, startN8n } = await import('../../scripts/lib/n8n.mjs');
  const { cacheDir } = await import('../../scripts/lib/paths.mjs');

  const host = await ensureHost();
  const homes = join(cacheDir, 'homes');
  const home = join(homes, `${host.version}-${fingerprint(tarball, ['']).slice(0, 12)}`);
  await withLock(join(cacheDir, 'homes.lock'), async () => {
    if (existsSync(join(home, '.complete'))) return;
    rmSync(homes, { recursive: true, force: true });
    await installNodes(home, tarball);
    const logPath = join(home, 'first-start.log');
    const filesFolder = join(home, 'files');
    await (await startN8n(host, { userFolder: home, filesFolder, logPath })).stop();
    writeFileSync(join(home, '.complete'), '');
  });
  cpSync(home, userFolder, { recursive: true });
}
