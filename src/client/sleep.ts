import { CancelledError } from './errors';

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
