#!/usr/bin/env node
/** `npm run sandbox`: the local service alone. Arguments are passed on (`npm run sandbox -- --help`). */
import { startGuarded, stopAll } from './lib/command.mjs';
import { projectRoot } from './lib/paths.mjs';
import { ensureDependencies } from './lib/project.mjs';
import { sandboxCommand } from './lib/sandbox.mjs';
import { reportFailure } from './lib/setup-error.mjs';
import { onEndAsked } from './lib/signals.mjs';

onEndAsked((_signal, code) => void stopAll().then(() => process.exit(code)));

try {
  await ensureDependencies();
  const [command = '', ...args] = sandboxCommand;
  const sandbox = startGuarded(command, [...args, ...process.argv.slice(2)], { cwd: projectRoot });
  process.exitCode = await sandbox.exited;
} catch (error) {
  reportFailure(error);
}
