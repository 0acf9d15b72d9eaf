import { readFileSync } from 'node:fs';
import { projectRoot } from './paths.mjs';
import { startService } from './service.mjs';

/**
 * What the sandbox prints when it is ready, and the part of its report that the scripts read.
 *
 * @typedef {{baseUrl: string, keys: {user: string, organization: string}}} Access
 * @typedef {{requests: number, charged: number}} Report
 */

/**
 * Starts the sandbox, a local stand-in for the service (see sandbox/README.md).
 *
 * @param {{logPath: string, port?: number, args?: string[]}} options uses a free port if none is
 *   given; `args` are further options, as on its command line
 */
export async function startSandbox({ logPath, port = 0, args = [] }) {
  const printed = () => /^\{"baseUrl".*\}$/m.exec(readFileSync(logPath, 'utf8'))?.[0];
  const command = ['--import', 'tsx', 'sandbox/main.ts', '--port', String(port), '--json'];
  const sandbox = await startService(process.execPath, [...command, ...args], {
    name: 'The sandbox',
    fix: 'see the log; `npm run sandbox` starts it alone',
    logPath,
    cwd: projectRoot,
    isReady: () => printed() !== undefined,
  });
  /** @type {Access} */
  const { baseUrl, keys } = JSON.parse(printed() ?? '');
  /** Returns the counts since the start. */
  const report = async () => {
    const response = await fetch(`${baseUrl}/__control/report`);
    return /** @type {Report} */ (await response.json());
  };
  return { ...sandbox, baseUrl, keys, report };
}
