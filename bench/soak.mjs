#!/usr/bin/env node
/** `npm run soak`: mixed traffic under faults for half an hour. Arguments are passed on (`-- --help`). */
import { startGuarded, stopAll } from '../scripts/lib/command.mjs';
import { projectRoot } from '../scripts/lib/paths.mjs';
import { ensureDependencies } from '../scripts/lib/project.mjs';
import { reportFailure } from '../scripts/lib/setup-error.mjs';
import { onEndAsked } from '../scripts/lib/signals.mjs';

onEndAsked((_signal, code) => void stopAll().then(() => process.exit(code)));

try {
  await ensureDependencies();
  const [node = '', ...args] = [process.execPath, '--import', 'tsx', 'bench/soak/main.ts'];
  const soak = startGuarded(node, [...args, ...process.argv.slice(2)], { cwd: projectRoot });
  process.exitCode = await soak.exited;
} catch (error) {
  reportFailure(error);
}
