import { setTimeout as sleep } from 'node:timers/promises';
import { startGuarded } from './command.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * A program in the background.
 *
 * @typedef {object} Running
 * @property {string} logPath everything that it prints
 * @property {Promise<number>} exited its exit code; never rejects
 * @property {() => Promise<number>} stop
 * @property {() => Promise<number>} kill kills it and its children at once, like a power cut
 */

/** The first start of n8n migrates its database, which takes minutes on a slow disk. */
const START_TIMEOUT_MS = 600_000;

/**
 * Starts a program and waits until it is ready.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{
 *   name: string, fix: string, logPath: string, isReady: () => boolean | Promise<boolean>,
 *   cwd?: string, env?: NodeJS.ProcessEnv
 * }} options
 * @returns {Promise<Running>}
 * @throws {SetupError} if it ends first or takes too long
 */
export async function startService(command, args, { name, fix, logPath, isReady, ...options }) {
  const { exited, stop, kill } = startGuarded(command, args, { logPath, ...options });
  let hasEnded = false;
  void exited.then(() => (hasEnded = true));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    if (hasEnded || Date.now() > deadline) {
      throw SetupError.ofLog(`${name} did not start (exit code ${await stop()}).`, fix, logPath);
    }
    await sleep(100);
  }
  return { logPath, exited, stop, kill };
}
