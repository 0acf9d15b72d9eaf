import { execFileSync } from 'node:child_process';
import { chmodSync, createReadStream, createWriteStream, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { withLock } from './lock.mjs';
import { installTool } from './node24.mjs';
import { hostDir, onPath } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * A Chromium that can be started.
 *
 * @typedef {object} Browser
 * @property {string} executablePath
 * @property {Record<string, string>} env variables in addition to those of this process
 */

/** Command names of the browsers of Debian, Ubuntu and Google. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** A package of the npm registry with a Chromium for Linux on x64, its libraries and a font. */
const PACKAGE = '@sparticuz/chromium';
const PACKAGE_VERSION = '153.0.0';

/**
 * Returns the Chromium to use: `CHROMIUM_PATH`, one on the PATH, or one from the npm registry, which
 * needs neither root nor packages of the system (70 MB, once).
 *
 * @returns {Promise<Browser>}
 * @throws {SetupError} if there is none for this machine
 */
export async function ensureChromium() {
  const own = process.env.CHROMIUM_PATH || BROWSERS.map(onPath).find((path) => path !== undefined);
  if (own !== undefined) return { executablePath: own, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new SetupError('No Chromium was found.', {
      fix: 'install Chromium or Google Chrome, or set CHROMIUM_PATH',
    });
  }
  const folder = join(hostDir, `chromium-${PACKAGE_VERSION}`);
  await withLock(join(hostDir, '.chromium.lock'), async () => {
    await installTool(PACKAGE, PACKAGE_VERSION, folder);
    if (!existsSync(join(folder, 'fonts.conf.own'))) await unpack(folder);
  });
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf.own'),
    },
  };
}

/** @param {string} folder */
async function unpack(folder) {
  const packed = join(folder, 'node_modules', PACKAGE, 'bin');
  for (const name of ['chromium', 'al2023.tar', 'fonts.tar']) {
    await pipeline(
      createReadStream(join(packed, `${name}.br`)),
      createBrotliDecompress(),
      createWriteStream(join(folder, name)),
    );
    if (name.endsWith('.tar')) execFileSync('tar', ['-xf', join(folder, name), '-C', folder]);
  }
  chmodSync(join(folder, 'chromium'), 0o755);
  // The package's own settings name folders outside this one.
  writeFileSync(
    join(folder, 'fonts.conf.own'),
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>' +
      `<dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>\n`,
  );
}
