import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';

interface Release {
  readonly tarball: Buffer;
  readonly manifest: { readonly name: string; readonly version: string };
}

export type StandInRegistry = Awaited<ReturnType<typeof startRegistry>>;

/**
 * Starts a stand-in for the public registry. It has the test's own packages, and redirects requests
 * for all others. n8n supports another registry only with a license, so the test does not configure
 * one. Instead, n8n finds an `npm` that always uses the stand-in, whatever registry n8n passes. n8n
 * sends its own requests for the public registry to a proxy that does not exist, and then falls
 * back to npm.
 *
 * @param folder folder for the `npm` that n8n finds
 * @param node path of the Node.js that runs n8n
 */
export async function startRegistry(folder: string, node: string) {
  const releases: Release[] = [];
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { encoding: 'utf8' }).trim();
  const upstream = run('npm', ['config', 'get', 'registry']);

  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').slice(1));
    const [name = '', file] = path.split('/-/');
    const own = releases.filter(({ manifest }) => manifest.name === name);
    const wanted = own.find(({ manifest }) => file === `${name}-${manifest.version}.tgz`);
    if (wanted !== undefined) {
      response.end(wanted.tarball);
    } else if (own.length > 0) {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(packument(name, own, address())));
    } else {
      response.writeHead(307, { Location: new URL(request.url ?? '/', upstream).href }).end();
    }
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const npm = join(bin, 'npm');
  writeFileSync(npm, npmScript(run('which', ['npm']), address()));
  chmodSync(npm, 0o755);

  return {
    env: {
      PATH: [bin, dirname(node), process.env.PATH].join(delimiter),
      HTTPS_PROXY: NOBODY,
    },
    /** Adds a packed package to the registry. The last added one is the latest version. */
    publish: (tarball: string) => {
      const manifest = run('tar', ['-xzOf', tarball, 'package/package.json']);
      releases.push({
        tarball: readFileSync(tarball),
        manifest: JSON.parse(manifest) as Release['manifest'],
      });
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const NOBODY = 'http://127.0.0.1:9';

/** Returns a script that runs npm with this registry instead of the one in its arguments. */
const npmScript = (npm: string, registry: string) => `#!/bin/sh
unset HTTPS_PROXY
for argument; do
  shift
  case "$argument" in
    --registry=*) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "${npm}" "$@" --registry=${registry}
`;

function packument(name: string, releases: readonly Release[], address: string) {
  return {
    name,
    'dist-tags': { latest: releases.at(-1)?.manifest.version },
    versions: Object.fromEntries(
      releases.map(({ tarball, manifest }) => [
        manifest.version,
        {
          ...manifest,
          dist: {
            tarball: `${address}${name}/-/${name}-${manifest.version}.tgz`,
            integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
          },
        },
      ]),
    ),
  };
}
