import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './setup-error.mjs';

const guardScript = join(dirname(fileURLToPath(import.meta.url)), 'guard.mjs');

/** The commands that currently run, so that `stopAll` can stop them. @type {Set<GuardedProcess>} */
const running = new Set();

/**
 * A command in the background. It ends at the latest when this process ends.
 *
 * @typedef {object} GuardedProcess
 * @property {import('node:child_process').ChildProcess} child the guard (see guard.mjs)
 * @property {Promise<number>} exited settles with the exit code; never rejects
 * @property {() => Promise<number>} stop sends SIGTERM, kills the command if it does not stop, and
 *   resolves with its exit code
 * @property {() => Promise<number>} kill kills the command and all its children immediately
 *   (SIGKILL), like a power cut
 */

/**
 * Starts a command under the guard (see guard.mjs). Its stderr goes to a log file, and also its
 * stdout unless `pipeStdout` is true. Without a log file, both go to the output of this process.
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
    // Use a separate process group. A Ctrl-C in the terminal then reaches only this process, which
    // stops its commands in order.
    detached: true,
  });
  if (log !== 'inherit') closeSync(log);
  // The pipe breaks when the guard is gone. Ignore the error, because `exited` reports the end.
  child.stdin?.on('error', () => {});
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code) => {
      // A signal killed the guard itself, so this process must kill the guard's command.
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
 * Kills a guard and its command.
 *
 * @param {number} leader
 */
function killGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

/** Stops every command that this process started, and waits until all have ended. */
export async function stopAll() {
  await Promise.all([...running].map((guarded) => guarded.stop()));
}

/**
 * Runs a command to its end, and writes its output to a log file (overwritten).
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{logPath: string, what: string, fix: string, cwd?: string, env?: NodeJS.ProcessEnv}} options
 *   `what` names the step in the error, `fix` tells the user how to fix a failure
 * @throws {SetupError} if the command fails or cannot start; quotes the log
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
 * Returns the last lines of a log file, or an empty string if the file does not exist.
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
 * Returns the most useful part of a failed command's log: its first lines about errors, otherwise
 * its end.
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
