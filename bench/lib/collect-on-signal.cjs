/**
 * Loaded into a measured process (`NODE_OPTIONS=--require …`): collects garbage on SIGUSR2, so that
 * its memory can be read without what earlier work left behind.
 */
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = /** @type {(how: object) => void} */ (runInNewContext('gc'));
// The kind that also gives memory back to the system.
process.on('SIGUSR2', () => collect({ type: 'major', flavor: 'last-resort' }));
