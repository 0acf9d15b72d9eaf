/*
 * Loaded into every n8n of the host suite before n8n itself: refuses workflows that "any" workflow may
 * call, as n8n 3 does, so that the workflows the package starts are known to run there.
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
  // The suite looks for it: without this rule its tests would prove nothing.
  console.log('Caller policy "any" is denied');
};
