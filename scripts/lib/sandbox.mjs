import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { indent, logTail, startGuarded } from './command.mjs';
import { projectRoot } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * A running sandbox: a local stand-in for the service (see sandbox/README.md).
 *
 * @typedef {object} RunningSandbox
 * @property {string} baseUrl the Base URL for a credential
 * @property {{user: string, organization: string}} keys demo API keys (the sandbox has more)
 * @property {() => Promise<Report>} report returns the counts since the start
 * @property {string} logPath
 * @property {Promise<number>} exited
 * @property {() => Promise<number>} stop
 */

/**
 * The part of the sandbox's report that the scripts read.
 *
 * @typedef {object} Report
 * @property {number} requests
 * @property {number} charged credits
 */

/** The command that runs the sandbox. It needs the project's dependencies. */
export const sandboxCommand = [process.execPath, '--import', 'tsx', 'sandbox/main.ts'];

/**
 * Starts the sandbox and waits until it listens.
 *
 * @param {{logPath: string, port?: number, args?: string[]}} options uses a free port if none is
 *   given; `args` are further options, as on its command line
 * @returns {Promise<RunningSandbox>}
 * @throws {SetupError} if the sandbox ends before that; quotes its log
 */
export async function startSandbox({ logPath, port = 0, args: more = [] }) {
  const [command = '', ...args] = sandboxCommand;
  const sandbox = startGuarded(command, [...args, '--port', String(port), '--json', ...more], {
    cwd: projectRoot,
    logPath,
    pipeStdout: true,
  });
  const stdout = /** @type {import('node:stream').Readable} */ (sandbox.child.stdout);
  const lines = createInterface({ input: stdout });
  const started = await Promise.race([once(lines, 'line'), sandbox.exited]);
  if (typeof started === 'number') {
    throw new SetupError(`The sandbox did not start.\n${indent(logTail(logPath, 12))}`, {
      fix: 'see the log; `npm run sandbox` starts it alone',
      logPath,
    });
  }
  /** @type {Pick<RunningSandbox, 'baseUrl' | 'keys'>} */
  const { baseUrl, keys } = JSON.parse(started[0]);
  return {
    baseUrl,
    keys,
    report: async () => {
      const response = await fetch(`${baseUrl}/__control/report`);
      return /** @type {Report} */ (await response.json());
    },
    logPath,
    exited: sandbox.exited,
    stop: () => sandbox.stop(),
  };
}
