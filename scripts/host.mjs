#!/usr/bin/env node
/**
 * The real n8n behind the demo and the tests: `node scripts/host.mjs --ensure` installs it if
 * necessary. Exit code 0: n8n is ready, and stdout has its version. Exit code 1: n8n is not ready,
 * and stderr has the reason.
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
