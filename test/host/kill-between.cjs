/*
 * Ends n8n with kill -9 between two steps of a poll. The file `kill-at` in n8n's user folder contains
 * a moment, and the number of executions that must reach this moment. Possible contents:
 *
 *   unstored 3    the state of three triggers is saved, but their executions are not stored
 *   unstarted 3   three executions are stored, but do not run yet
 */
const { existsSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const { changeMethods } = require('./change-methods.cjs');

const order = join(process.env['N8N_USER_FOLDER'] ?? '', 'kill-at');
/** Resolves when the triggers' static data has been saved. */
let saved = Promise.resolve();
let held = 0;

/** @param {string} moment @param {unknown} mode */
async function killAt(moment, mode) {
  if (mode !== 'trigger' || !existsSync(order)) return;
  const [wanted, count] = readFileSync(order, 'utf8').split(' ');
  if (wanted !== moment) return;
  held += 1;
  if (held < Number(count)) await new Promise(() => undefined);
  await saved;
  rmSync(order);
  process.kill(process.pid, 'SIGKILL');
}

changeMethods({
  'workflow-static-data.service.js': {
    type: 'WorkflowStaticDataService',
    method: 'saveStaticData',
    instead: (save) => async (workflow) => {
      const saving = save(workflow);
      saved = Promise.all([saved, saving]).then(() => undefined);
      await saving;
    },
  },
  'execution-persistence.js': {
    type: 'ExecutionPersistence',
    method: 'create',
    instead: (create) => async (execution, context) => {
      await killAt('unstored', execution.mode);
      return await create(execution, context);
    },
  },
  'concurrency-control.service.js': {
    type: 'ConcurrencyControlService',
    method: 'throttle',
    instead: (throttle) => async (execution) => {
      await killAt('unstarted', execution.mode);
      await throttle(execution);
    },
  },
});
