/**
 * Loaded into a measured process (`NODE_OPTIONS=--require …`): collects garbage on SIGUSR2, so that
 * its memory can be read without what earlier work left behind. What the heap holds then goes into
 * the folder HEAP_REPORTS, if that is set, as `<pid>.json`.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = /** @type {(how: object) => void} */ (runInNewContext('gc'));
const reports = process.env.HEAP_REPORTS;
process.on('SIGUSR2', () => {
  // The kind that also gives memory back to the system.
  collect({ type: 'major', flavor: 'last-resort' });
  if (!reports) return;
  const path = join(reports, `${process.pid}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${path}.new`, path);
});
