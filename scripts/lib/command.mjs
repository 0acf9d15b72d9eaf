import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './setup-error.mjs';

const guard = fileURLToPath(new URL('guard.mjs', import.meta.url));

/** @type {Set<() => Promise<number>>} */
const stops = new Set();

/**
 * Starts a command that ends with this process (see guard.mjs), with its output in a log if wanted.
 * @param {string} command
 * @param {string[]} args
 * @param {{logPath?: string, cwd?: string, env?: NodeJS.ProcessEnv}} options
 */
export function startGuarded(command, args, { logPath, ...options }) {
  if (logPath) mkdirSync(dirname(logPath), { recursive: true });
  const log = logPath ? openSync(logPath, 'w') : 'inherit';
  const child = spawn(process.execPath, [guard, command, ...args], {
    ...options,
    stdio: ['pipe', log, log],
    // In a process group of its own, a Ctrl-C does not reach it: this process stops all in order.
    detached: true,
  });
  if (log !== 'inherit') closeSync(log);
  // The pipe breaks when the guard is gone, which `exited` reports.
  child.stdin?.on('error', () => {});
  const exited = once(child, 'exit').then(([code]) => {
    stops.delete(stop);
    // Without a code, the guard itself was killed, and its command still runs.
    if (code === null) void kill();
    return /** @type {number} */ (code ?? 137);
  });
  const stop = () => {
    child.stdin?.end();
    return exited;
  };
  /** Kills the command and its children at once, like a power cut. */
  const kill = () => {
    try {
      process.kill(-(child.pid ?? NaN), 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
    return exited;
  };
  stops.add(stop);
  return { exited, stop, kill };
}

export const stopAll = async () => await Promise.all([...stops].map((stop) => stop()));

/**
 * Calls `stop` when this process shall end, or when its npm has ended: npm forwards signals only to
 * a shell, which exits without a word.
 * @param {(exitCode: number, signal: string) => unknown} stop
 */
export function onEndAsked(stop = (code) => stopAll().then(() => process.exit(code))) {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
  for (const [signal, code] of Object.entries(codes)) process.on(signal, () => stop(code, signal));
  const parent = process.env.npm_lifecycle_event && process.ppid;
  const timer = setInterval(() => {
    if (!parent || process.ppid === parent) return;
    clearInterval(timer);
    stop(codes.SIGTERM, 'SIGTERM');
  }, 500).unref();
}

/**
 * Runs npm to install something, without the install scripts that supply-chain attacks use.
 * @param {string[]} args
 * @param {{logPath: string, what: string, cwd: string}} options
 * @throws {SetupError} if it fails
 */
export async function npmInstall(args, options) {
  await runLogged('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], {
    fix: 'check the network and the npm registry (npm ping), then run this again',
    ...options,
  });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{logPath: string, what: string, fix: string, cwd: string, env?: NodeJS.ProcessEnv}} options
 * @throws {SetupError} if it fails
 */
export async function runLogged(command, args, { what, fix, ...rest }) {
  const code = await startGuarded(command, args, rest).exited;
  if (code !== 0) throw SetupError.ofLog(`${what} failed (exit code ${code}).`, fix, rest.logPath);
}
