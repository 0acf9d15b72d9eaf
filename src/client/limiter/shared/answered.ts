/**
 * Waits for an answer, but no longer than `ms` milliseconds, and keeps the process open meanwhile.
 *
 * @throws whatever `answer` throws, or an error that says it did not come in time.
 */
export async function answered<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // An answer may have arrived while this process was busy; it is read before this runs.
      setImmediate(() => {
        reject(new Error(`no answer within ${String(ms)} ms`));
      });
    }, ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
