/**
 * Runs a command that cannot outlive the process that started it, not even after a SIGKILL. When
 * the pipe to stdin closes or a signal comes, it stops the process group. Exits like the command.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Time for the command to stop after SIGTERM. n8n is configured to finish within 5 s. */
const GRACE_MS = 10_000;

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let stopping = false;

function stop() {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), GRACE_MS).unref();
  process.kill(-process.pid, 'SIGTERM');
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
process.stdin.on('end', stop).on('error', stop).resume();
child.on('exit', (code, signal) => {
  // Children of the command, such as n8n's task runner, can still run.
  stopping = true;
  process.kill(-process.pid, 'SIGTERM');
  process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
});
