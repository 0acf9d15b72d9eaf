/**
 * Collects garbage on SIGUSR2, so that a measurement of memory excludes garbage of earlier work. It
 * is loaded into the measured process with `NODE_OPTIONS=--require …`. If HEAP_REPORTS is set to a
 * folder, it then writes the heap statistics to `<pid>.json` there.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = /** @type {(how: object) => void} */ (runInNewContext('gc'));
const reports = process.env.HEAP_REPORTS;
process.on('SIGUSR2', () => {
  // This kind of collection also returns memory to the system.
  collect({ type: 'major', flavor: 'last-resort' });
  if (!reports) return;
  const path = join(reports, `${process.pid}.json`);
  writeFileSync(`${path}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${path}.new`, path);
});
