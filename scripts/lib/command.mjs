import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './setup-error.mjs';

const guardScript = join(dirname(fileURLToPath(import.meta.url)), 'guard.mjs');

/** What runs now, so that one call can stop all of it. @type {Set<GuardedProcess>} */
const running = new Set();

/**
 * A command that runs in the background and ends with this process at the latest.
 *
 * @typedef {object} GuardedProcess
 * @property {import('node:child_process').ChildProcess} child the guard (see guard.mjs)
 * @property {Promise<number>} exited settles with the exit code; never rejects
 * @property {() => Promise<number>} stop asks the command to stop, kills it when it does not, resolves with its exit code
 * @property {() => Promise<number>} kill kills the command and all its children immediately (SIGKILL), like a power cut
 */

/**
 * Starts a command under the guard. Its stderr, and its stdout unless `pipeStdout`, go to a log file,
 * or without one to where this process's own go.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{logPath?: string, cwd?: string, env?: NodeJS.ProcessEnv, pipeStdout?: boolean}} options
 * @returns {GuardedProcess}
 */
export function startGuarded(command, args, { logPath, cwd, env, pipeStdout = false }) {
  if (logPath) mkdirSync(dirname(logPath), { recursive: true });
  const log = logPath ? openSync(logPath, 'a') : 'inherit';
  const child = spawn(process.execPath, [guardScript, command, ...args], {
    cwd,
    env: env ?? process.env,
    stdio: ['pipe', pipeStdout ? 'pipe' : log, log],
    // A group of its own: a Ctrl-C in the terminal reaches the starter alone, which stops things in order.
    detached: true,
  });
  if (log !== 'inherit') closeSync(log);
  // The pipe breaks when the guard is gone: nothing to report, `exited` says it.
  child.stdin?.on('error', () => {});
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code) => {
      // Somebody killed the guard itself: what it watched over is on us.
      if (code === null && child.pid) killGroup(child.pid);
      resolve(code ?? 137);
    });
  });
  const guarded = {
    child,
    exited,
    stop() {
      child.stdin?.end();
      return exited;
    },
    kill() {
      if (child.pid) killGroup(child.pid);
      return exited;
    },
  };
  running.add(guarded);
  void exited.then(() => running.delete(guarded));
  return guarded;
}

/**
 * Kills a guard and what it watches over.
 *
 * @param {number} leader
 */
function killGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody left in it.
  }
}

/** Stops every command that this process started and waits until they are gone. */
export async function stopAll() {
  await Promise.all([...running].map((guarded) => guarded.stop()));
}

/**
 * Runs a command to its end, its output in a log file (overwritten).
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{logPath: string, what: string, fix: string, cwd?: string, env?: NodeJS.ProcessEnv}} options
 *   `what` names the step in the error, `fix` says what the reader can do about a failure
 * @throws {SetupError} when the command fails or cannot be started; quotes the log's last lines
 */
export async function runLogged(command, args, { logPath, what, fix, cwd, env }) {
  mkdirSync(dirname(logPath), { recursive: true });
  const log = openSync(logPath, 'w');
  writeSync(log, `$ ${[command, ...args].join(' ')}\n`);
  closeSync(log);
  const code = await startGuarded(command, args, { logPath, cwd, env }).exited;
  if (code !== 0) {
    throw new SetupError(`${what} failed (exit code ${code}).\n${indent(logExcerpt(logPath))}`, {
      fix,
      logPath,
    });
  }
}

/**
 * The last lines of a log file, or an empty string when there is none.
 *
 * @param {string} path
 * @param {number} lines
 */
export function logTail(path, lines) {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}

/**
 * What a reader needs most of the log of a failed command: its first lines about errors, or else its end.
 *
 * @param {string} path
 */
function logExcerpt(path) {
  const errors = logTail(path, Infinity)
    .split('\n')
    .filter((line) => /\berr(or)?\b/i.test(line));
  return errors.length > 0 ? errors.slice(0, 8).join('\n') : logTail(path, 12);
}

/** @param {string} text */
export function indent(text) {
  return text.replace(/^/gm, '    | ');
}
