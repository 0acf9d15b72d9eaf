/**
 * Runs a command so that it cannot outlive the process that started it, whatever ends that process: a normal
 * exit, a signal, a crash, even SIGKILL.
 *
 *     node guard.mjs <command> [argument…]      (started with a pipe as stdin, in a process group of its own)
 *
 * The starter holds the other end of stdin. When that pipe closes, or a signal comes, the whole
 * process group is asked to stop (SIGTERM) and after a grace period is killed.
 * Exits with the command's code, or 128 + the signal's number like a shell.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Time the command has to stop on its own; n8n is configured to finish within 5 s. */
const GRACE_MS = 10_000;

const [command, ...args] = process.argv.slice(2);
if (!command) {
  console.error('guard.mjs: no command given');
  process.exit(2);
}

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let stopping = false;

/** Asks the group to stop; kills it, this process included, when it does not. */
function stop() {
  if (stopping) return;
  stopping = true;
  setTimeout(() => signalGroup('SIGKILL'), GRACE_MS).unref();
  signalGroup('SIGTERM');
}

/** @param {NodeJS.Signals} signal */
function signalGroup(signal) {
  try {
    process.kill(-process.pid, signal);
  } catch {
    // Not a group leader (started by hand): the command alone is ours to signal.
    child.kill(signal);
  }
}

for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
  process.on(signal, stop);
}
process.stdin.on('end', stop).on('error', stop).resume();

child.on('error', (error) => {
  console.error(`Cannot start ${command}: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  // What the command started may still run (n8n's task runner, a compiler): end it too.
  stopping = true;
  signalGroup('SIGTERM');
  process.exit(code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)]);
});
