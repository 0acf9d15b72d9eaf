/*
 * Node.js loads this file before n8n itself. It ends n8n with kill -9 between two steps of a poll.
 * The file `kill-at` in n8n's user folder contains a moment, and the number of executions that must
 * reach this moment. Possible contents:
 *
 *   unstored 3    the state of three triggers is saved, but their executions are not stored
 *   unstarted 3   three executions are stored, but do not run yet
 */
const { existsSync, readFileSync, rmSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');

/** @typedef {(...args: any[]) => Promise<unknown>} Method of a class of n8n */

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

/** @type {Record<string, {type: string, method: string, instead: (method: Method) => Method}>} */
const CHANGES = {
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
};

/** @type {Record<string, (module: {exports: any}, filename: string) => void>} */
const loaders = Reflect.get(Module, '_extensions');
const load = loaders['.js'];
if (load === undefined) throw new Error('This Node.js loads modules in another way');

loaders['.js'] = (module, filename) => {
  load(module, filename);
  const change = CHANGES[filename.split(/[\\/]/).at(-1) ?? ''];
  if (change === undefined) return;
  const { prototype } = module.exports[change.type];
  const method = prototype[change.method];
  prototype[change.method] = async function (/** @type {unknown[]} */ ...args) {
    return await change.instead(async (...own) => await method.apply(this, own))(...args);
  };
};
