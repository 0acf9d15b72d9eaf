/**
 * Parses the data of an execution in the format of n8n's REST API. It is a JSON array that contains
 * every object, array and string once. Strings inside objects and arrays are indexes into that
 * array, which preserves shared and circular references.
 *
 * @param {string} text
 * @returns {any} the object that the first entry stands for
 */
export function parseExecutionData(text) {
  /** @type {unknown[]} */
  const entries = JSON.parse(text);
  /** @type {Map<number, unknown>} */
  const done = new Map();
  return resolve(0);

  /**
   * @param {number} index
   * @returns {unknown}
   */
  function resolve(index) {
    if (done.has(index)) return done.get(index);
    const entry = entries[index];
    if (typeof entry !== 'object' || entry === null) return entry;
    /** @type {Record<string, unknown>} */
    const target = /** @type {any} */ (Array.isArray(entry) ? [] : {});
    done.set(index, target);
    for (const [key, value] of Object.entries(entry)) {
      target[key] = typeof value === 'string' ? resolve(Number(value)) : value;
    }
    return target;
  }
}

/**
 * Returns why an execution failed, for a person: the node's name and its message.
 *
 * @param {any} data data of an execution, as `parseExecutionData` returns it
 * @returns {string}
 */
export function errorOf(data) {
  const error = data.resultData.error;
  if (!error) return 'no error was recorded';
  const node = error.node?.name ? `${error.node.name}: ` : '';
  return `${node}${error.message}${error.description ? ` (${error.description})` : ''}`;
}
