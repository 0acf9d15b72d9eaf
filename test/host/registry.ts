import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { TestService, json } from '../src/client/support/service';

const NOBODY = 'http://127.0.0.1:9';

/**
 * Starts a stand-in for the public registry, with the packed package; it redirects requests for all
 * others. n8n uses another registry only with a license, so it finds an `npm` in this folder that
 * always uses the stand-in. n8n's own requests for the public registry fail, and it falls back to npm.
 */
export async function startRegistry(folder: string, node: string, tarball: string) {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { encoding: 'utf8' }).trim();
  const upstream = run('npm', 'config', 'get', 'registry');
  const bytes = readFileSync(tarball);
  const manifest = JSON.parse(run('tar', '-xzOf', tarball, 'package/package.json')) as {
    name: string;
    version: string;
  };
  const { name, version } = manifest;
  const file = `${name}/-/${name}-${version}.tgz`;

  const service = await TestService.start((request, response) => {
    const path = decodeURIComponent(request.url.slice(1));
    if (path === file) {
      response.end(bytes);
    } else if (path === name) {
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      const dist = { tarball: `${service.baseUrl}/${file}`, integrity };
      const versions = { [version]: { ...manifest, dist } };
      json({ name, 'dist-tags': { latest: version }, versions })(request, response);
    } else {
      response.writeHead(307, { Location: new URL(request.url, upstream).href }).end();
    }
  });

  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = npmScript(run('which', 'npm'), service.baseUrl);
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });

  return {
    env: {
      PATH: [bin, dirname(node), process.env.PATH].join(delimiter),
      HTTPS_PROXY: NOBODY,
    },
    stop: async () => {
      await service.stop();
    },
  };
}

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
