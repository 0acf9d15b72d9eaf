import { getEventListeners } from 'node:events';

import { CancelledError } from '../../../src/client/errors';
import { abortable, sleep } from '../../../src/concurrency';

describe('sleep', () => {
  it('rejects as soon as it is cancelled, and removes its timer and listener', async () => {
    const signal = AbortSignal.timeout(10);
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    await expect(sleep(60_000, signal)).rejects.toBeInstanceOf(CancelledError);
    expect(cleared).toHaveBeenCalled();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    cleared.mockRestore();
  });

  it('rejects when it was cancelled before it began', async () => {
    await expect(sleep(60_000, AbortSignal.abort())).rejects.toBeInstanceOf(CancelledError);
  });

  it('removes its listener from the signal when the time is over', async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

it('causes no unhandled rejection when a call fails after its cancellation', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const stop = new AbortController();
  const late = abortable(async () => {
    await sleep(5);
    throw new Error('too late to matter');
  }, stop.signal);
  stop.abort();
  await expect(late).rejects.toBeInstanceOf(CancelledError);
  await sleep(20);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
