import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As the scripts' library has it. */
interface Host {
  readonly version: string;
  readonly node: string;
  readonly n8n: string;
}

/**
 * Makes a user folder of an n8n that has the packed nodes installed and its database migrated, as after
 * its first start. That start happens once for each n8n and package, and its result is copied: it takes
 * longer than any later one. `npm run demo`, the update through Community nodes and the last n8n 1 have
 * first starts of their own.
 *
 * @param tarball what `npm pack` made
 * @param userFolder does not exist yet
 * @throws what the scripts' library throws, with its advice
 */
export async function makeHome(host: Host, tarball: string, userFolder: string): Promise<void> {
  const { fingerprint } = await import('../../scripts/lib/fingerprint.mjs');
  const { withLock } = await import('../../scripts/lib/lock.mjs');
  const { cacheDir } = await import('../../scripts/lib/paths.mjs');

  const homes = join(cacheDir, 'homes');
  const name = `${host.version}-${fingerprint(tarball, ['']).slice(0, 12)}`;
  const home = join(homes, name);
  await withLock(
    join(cacheDir, 'homes.lock'),
    () => undefined,
    async () => {
      if (existsSync(join(home, '.complete'))) return;
      rmSync(homes, { recursive: true, force: true });
      await startOnce(host, tarball, home);
      writeFileSync(join(home, '.complete'), '');
    },
  );
  cpSync(home, userFolder, { recursive: true });
}

async function startOnce(host: Host, tarball: string, home: string): Promise<void> {
  const { installNodes, startN8n } = await import('../../scripts/lib/n8n.mjs');
  const { logsDir } = await import('../../scripts/lib/paths.mjs');

  await installNodes(home, tarball);
  const n8n = await startN8n(host, {
    userFolder: home,
    filesFolder: join(home, 'files'),
    logPath: join(logsDir, 'first-start.log'),
  });
  await n8n.stop();
}
