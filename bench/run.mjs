#!/usr/bin/env node
/** `npm run bench`: measures and prints one table. Arguments are passed on (`-- --help`). */
import { startGuarded, stopAll } from '../scripts/lib/command.mjs';
import { projectRoot } from '../scripts/lib/paths.mjs';
import { ensureDependencies } from '../scripts/lib/project.mjs';
import { reportFailure } from '../scripts/lib/setup-error.mjs';
import { onEndAsked } from '../scripts/lib/signals.mjs';

onEndAsked((_signal, code) => void stopAll().then(() => process.exit(code)));

try {
  await ensureDependencies();
  const command = [process.execPath, '--import', 'tsx', 'bench/main.ts', ...process.argv.slice(2)];
  const [node = '', ...args] = command;
  process.exitCode = await startGuarded(node, args, { cwd: projectRoot }).exited;
} catch (error) {
  reportFailure(error);
}
