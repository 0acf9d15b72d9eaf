import { CancelledError } from './errors';

/**
 * Waits `ms` milliseconds.
 *
 * @throws {CancelledError} as soon as `signal` fires, also when it already has.
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
 * Runs `start` and rejects as soon as `signal` fires, without waiting for it to notice.
 *
 * @param start gets a function that registers what to tidy up on cancellation.
 * @throws {CancelledError} when cancelled; whatever `start` throws otherwise.
 */
export async function abortable<T>(
  start: (onCancel: (tidyUp: () => void) => void) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (signal === undefined) return await start(() => undefined);
  if (signal.aborted) throw new CancelledError();
  let tidyUp = (): void => undefined;
  let cancel = (): void => undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    cancel = () => {
      tidyUp();
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
        tidyUp = action;
      }),
      cancelled,
    ]);
  } finally {
    signal.removeEventListener('abort', listener);
    // A listener that was removed still leads to those that came after it, and what it leads to itself,
    // such as an answer, would stay in memory with them.
    tidyUp = () => undefined;
    cancel = tidyUp;
  }
}
