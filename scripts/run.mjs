#!/usr/bin/env node
/**
 * Runs a TypeScript program of the project, even in a fresh clone, and exits when it exits: `node
 * scripts/run.mjs sandbox/main.ts [arguments]`. `npm run sandbox` and `bench` use this script.
 */
import { onEndAsked, startGuarded } from './lib/command.mjs';
import { projectRoot } from './lib/paths.mjs';
import { ensureDependencies } from './lib/project.mjs';
import { reportFailure } from './lib/setup-error.mjs';

onEndAsked();

try {
  await ensureDependencies();
  const args = ['--import', 'tsx', ...process.argv.slice(2)];
  process.exitCode = await startGuarded(process.execPath, args, { cwd: projectRoot }).exited;
} catch (error) {
  reportFailure(error);
}
