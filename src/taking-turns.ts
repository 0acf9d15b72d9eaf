/**
 * Makes a queue: works given to it are carried out one at a time, in their order. One that fails rejects
 * for its own caller and stops no other.
 */
export function takingTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const own = last.then(work);
    last = own.catch(() => undefined);
    return await own;
  };
}
