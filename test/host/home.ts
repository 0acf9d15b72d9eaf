import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The host in the form in which the scripts' library returns it. */
interface Host {
  readonly version: string;
  readonly node: string;
  readonly n8n: string;
}

/**
 * Makes the user folder of an n8n as after its first start: with the packed nodes and a migrated
 * database. The first start takes longer than later ones. It therefore happens once per n8n and
 * package, and its result is copied. `npm run demo`, the update through Community nodes and the
 * last n8n 1 have their own first starts.
 *
 * @param tarball the output of `npm pack`
 * @param userFolder a folder that does not exist yet
 * @throws {Error} if the scripts' library fails, with its advice
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
