#!/usr/bin/env node
/**
 * Records what a wanted change of a node changes, in the order in which one record is read for the
 * next: the public names, then the output and the output schema of every operation, then the pages
 * of `docs/nodes`. The diff of the commit shows what has changed.
 *
 *     npm run records
 */
import { join } from 'node:path';
import { onEndAsked, runLogged } from './lib/command.mjs';
import { logsDir, projectRoot } from './lib/paths.mjs';
import { step } from './lib/progress.mjs';
import { ensureDependencies } from './lib/project.mjs';
import { reportFailure } from './lib/setup-error.mjs';

const env = { ...process.env, NAMES: 'update', GOLDENS: 'update' };
const jest = ['node_modules/jest/bin/jest.js', '--silent', '--selectProjects'];

/** What records something, and how. */
const RECORDS = {
  'Public names': [...jest, 'unit', '--testPathPatterns', 'test/nodes/public-names'],
  'Outputs and output schemas': [...jest, 'engine', '--testPathPatterns', 'test/engine/goldens'],
  'Pages of docs/nodes': ['--import', 'tsx', 'scripts/reference.ts'],
};

onEndAsked();
try {
  await ensureDependencies();
  for (const [what, args] of Object.entries(RECORDS)) {
    const logPath = join(logsDir, 'records.log');
    const fix = 'correct what the log says, then run this again';
    const recording = { what: `Recording (${what})`, fix, logPath, cwd: projectRoot, env };
    await step(what, () => runLogged(process.execPath, args, recording));
  }
} catch (error) {
  reportFailure(error);
}
