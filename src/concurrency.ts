import { CancelledError } from './client/errors';
import { RUN_CONCURRENT } from './client/settings';

/**
 * Processes entries in parallel, as many at a time as one run may have requests in flight: more would only wait
 * in the limiter and fill memory. Returns the results in order.
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

/** Tasks run one at a time, in order. One that fails rejects for its own caller and does not stop the others. */
export function createSequentialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const own = last.then(work);
    last = own.catch(() => undefined);
    return await own;
  };
}

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
 * Rejects as soon as `signal` fires, without waiting for `start` to notice it.
 *
 * @param start Receives a function that registers a cleanup for cancellation.
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
    // A removed listener still references those added after it; what it references itself must not stay in memory.
    cleanUp = () => undefined;
    cancel = cleanUp;
  }
}
