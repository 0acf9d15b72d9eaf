/**
 * Creates a queue that runs one task at a time, in the order in which they are added. A task that fails
 * rejects for its own caller and does not stop the others.
 */
export function createSequentialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const own = last.then(work);
    last = own.catch(() => undefined);
    return await own;
  };
}
