/*
 * Node.js loads this file before n8n itself, for every n8n of the host suite. It rejects workflows
 * that "any" workflow can call, as n8n 3 does. The tests therefore show that the workflows
 * which the package starts also run in n8n 3.
 */
const Module = require('node:module');

/** @typedef {{ findPolicy(workflow: unknown): string }} Checker */
/** @typedef {{ exports: { SubworkflowPolicyChecker: { prototype: Checker } } }} CheckerModule */

/** @type {Record<string, (module: CheckerModule, filename: string) => void>} */
const loaders = Reflect.get(Module, '_extensions');
const load = loaders['.js'];
if (load === undefined) throw new Error('This Node.js loads modules in another way');

loaders['.js'] = (module, filename) => {
  load(module, filename);
  if (!/pre-execution-checks[\\/]subworkflow-policy-checker\.js$/.test(filename)) return;
  const { prototype } = module.exports.SubworkflowPolicyChecker;
  const { findPolicy } = prototype;
  prototype.findPolicy = function (workflow) {
    const policy = findPolicy.call(this, workflow);
    return policy === 'any' ? 'none' : policy;
  };
  // The suite looks for this line. Without the rule, its tests would prove nothing.
  console.log('Caller policy "any" is denied');
};
