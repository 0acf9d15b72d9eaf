#!/usr/bin/env node
/** `npm run sandbox`: the local service alone. Arguments are passed on (`npm run sandbox -- --help`). */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { projectRoot } from './lib/paths.mjs';
import { ensureDependencies } from './lib/project.mjs';
import { sandboxCommand } from './lib/sandbox.mjs';
import { reportFailure } from './lib/setup-error.mjs';

try {
  await ensureDependencies();
  const [command = '', ...args] = sandboxCommand;
  const sandbox = spawn(command, [...args, ...process.argv.slice(2)], {
    cwd: projectRoot,
    stdio: 'inherit',
  });
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => sandbox.kill(signal));
  }
  sandbox.on('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)]);
  });
} catch (error) {
  reportFailure(error);
}
