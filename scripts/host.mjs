#!/usr/bin/env node
/**
 * The real n8n behind the demo and the tests: `node scripts/host.mjs --ensure` installs it if need be.
 * Exit code 0: it is ready (its version is printed). 1: it is not, and stderr says why.
 */
import { ensureHost } from './lib/host.mjs';
import { reportFailure } from './lib/setup-error.mjs';

if (process.argv.slice(2).join(' ') !== '--ensure') {
  console.error('Usage: node scripts/host.mjs --ensure');
  process.exit(2);
}
try {
  const host = await ensureHost();
  console.log(`n8n ${host.version} is installed (${host.n8n})`);
} catch (error) {
  reportFailure(error);
}
