const Module = require('node:module');

/** @typedef {(...args: any[]) => any} Method of a class of n8n */

/** @type {Record<string, (module: {exports: any}, filename: string) => void>} */
const loaders = Reflect.get(Module, '_extensions');

/**
 * Changes methods of n8n's classes, in a file that Node.js loads before n8n itself.
 *
 * @param {Record<string, {type: string, method: string, instead: (method: Method) => Method}>} changes
 *   by the name of the file that exports the class
 */
exports.changeMethods = (changes) => {
  const load = loaders['.js'];
  if (load === undefined) throw new Error('This Node.js loads modules in another way');
  loaders['.js'] = (module, filename) => {
    load(module, filename);
    const change = changes[filename.split(/[\\/]/).at(-1) ?? ''];
    if (change === undefined) return;
    // The suite looks for this line: without the change, its tests would prove nothing.
    console.log(`Changed ${change.type}.${change.method}`);
    const { prototype } = module.exports[change.type];
    const method = prototype[change.method];
    prototype[change.method] = function (/** @type {unknown[]} */ ...args) {
      return change.instead((...own) => method.apply(this, own))(...args);
    };
  };
};
