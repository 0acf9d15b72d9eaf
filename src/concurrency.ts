import { CancelledError } from './client/errors';
import { RUN_CONCURRENT } from './client/settings';

/**
 * Processes many entries in parallel and returns the results in order. It processes as many at a time as
 * one run may have requests in flight, because more would only wait in the limiter and fill memory.
 *
 * @throws Whatever `work` throws first; no further entry is started after that.
 */
export async function mapInParallel<In, Out>(
  inputs: readonly In[],
  work: (input: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results = new Array<Out>(inputs.length);
  const upcoming = inputs.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [index, input] of upcoming) {
      if (failed) return;
      try {
        results[index] = await work(input, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Math.min(RUN_CONCURRENT, inputs.length);
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}

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

/**
 * Waits `ms` milliseconds.
 *
 * @throws {CancelledError} as soon as `signal` fires, or immediately if it has fired already.
 */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await abortable(
    (stop) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        stop(() => {
          clearTimeout(timer);
        });
      }),
    signal,
  );
}

/**
 * Runs `start` and rejects as soon as `signal` fires, without waiting for `start` to notice it.
 *
 * @param start Receives a function that registers a cleanup for cancellation.
 * @throws {CancelledError} if the signal fires; otherwise whatever `start` throws.
 */
export async function abortable<T>(
  start: (onCancel: (cleanUp: () => void) => void) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (signal === undefined) return await start(() => undefined);
  if (signal.aborted) throw new CancelledError();
  let cleanUp = (): void => undefined;
  let cancel = (): void => undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    cancel = () => {
      cleanUp();
      reject(new CancelledError());
    };
  });
  const listener = (): void => {
    cancel();
  };
  signal.addEventListener('abort', listener, { once: true });
  try {
    return await Promise.race([
      start((action) => {
        cleanUp = action;
      }),
      cancelled,
    ]);
  } finally {
    signal.removeEventListener('abort', listener);
    // A removed listener still references the listeners added after it. Without this reset, everything it
    // references itself, such as a response, would stay in memory with them.
    cleanUp = () => undefined;
    cancel = cleanUp;
  }
}
