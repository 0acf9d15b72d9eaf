/**
 * Runs a command so that it cannot outlive the process that started it, whatever ends that process:
 * a normal exit, a signal, a crash, even SIGKILL.
 *
 *     node guard.mjs <command> [argument…]      (started with a pipe as stdin, in its own process group)
 *
 * The starter holds the other end of stdin. When that pipe closes, or a signal comes, the guard
 * sends SIGTERM to the whole process group, and kills it after a grace period. Exits with the
 * command's code, or 128 + the signal's number like a shell.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Time for the command to stop after SIGTERM. n8n is configured to finish within 5 s. */
const GRACE_MS = 10_000;

const [command, ...args] = process.argv.slice(2);
if (!command) {
  console.error('guard.mjs: no command given');
  process.exit(2);
}

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let stopping = false;

/** Sends SIGTERM to the group. If it does not stop, kills it, including this process. */
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
    // This process is not a group leader because it was started by hand. Signal only the command.
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
  // Children of the command can still run (n8n's task runner, a compiler). Stop them too.
  stopping = true;
  signalGroup('SIGTERM');
  process.exit(code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)]);
});
