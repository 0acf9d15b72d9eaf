/**
 * Collects garbage on SIGUSR2, so that a measurement of memory excludes garbage of earlier work. It
 * is loaded into the measured process with `NODE_OPTIONS=--require …`.
 */
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = /** @type {(how: object) => void} */ (runInNewContext('gc'));
// This kind of collection also returns memory to the system.
process.on('SIGUSR2', () => collect({ type: 'major', flavor: 'last-resort' }));
