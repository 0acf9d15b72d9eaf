import { CancelledError, NotAttemptedError, RateLimitError } from '../../../../src/client/errors';
import { KEY_CONCURRENT, RUN_CONCURRENT } from '../../../../src/client/limiter/key-limiter';
import { limited, times } from '../support/limited-service';
import { mostInAnyWindow, rejectionOf, until } from '../support/timing';

const A_MINUTE = 60_000;

const refusal = new NotAttemptedError({ code: 'no', message: 'no', hint: 'no' });
const beforeSend = () => {
  throw refusal;
};

describe('the limit per window', () => {
  it('is never exceeded as the service counts arrivals, wherever its windows begin', async () => {
    const windowMs = 300;
    const { service } = limited({ requestsPerMinute: 30 }, { windowMs });
    const sent = times(110, async (index) => {
      await service.send(`${index}`, {}, index % 7, index % 5);
    });
    await Promise.all(sent);
    expect(service.arrivals).toHaveLength(110);
    expect(mostInAnyWindow(service.arrivals, windowMs)).toBeLessThanOrEqual(30);
    // The limit is 30 per window, so three full windows pass before the last of 110 requests.
    expect(service.arrivals.at(-1)! - service.arrivals[0]!).toBeGreaterThanOrEqual(3 * windowMs);
  });

  it('frees a permit one window after the response, not after sending', async () => {
    const { service } = limited({ requestsPerMinute: 1 }, { windowMs: 150 });
    const slow = service.send('slow', {}, 0, 200);
    await Promise.all([slow, service.send('next')]);
    expect(service.arrivals[1]! - service.answers[0]!).toBeGreaterThanOrEqual(150);
  });

  it('keeps the requests in flight within the maximum per key', async () => {
    const { service } = limited({});
    const held = times(KEY_CONCURRENT + 6, (index) =>
      service.hold(`${index}`, { run: `run ${index % 3}` }),
    );
    await until(() => service.arrivals.length === KEY_CONCURRENT);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(service.arrivals).toHaveLength(KEY_CONCURRENT);
    for (const { answer } of held) answer();
    await Promise.all(held.map(({ done }) => done));
    expect(service.arrivals).toHaveLength(KEY_CONCURRENT + 6);
  });

  it('follows the credential when its limit changes, and counts earlier requests', async () => {
    const windowMs = 300;
    const { limiter, service } = limited({ requestsPerMinute: 20 }, { windowMs });
    await service.sendAll(10);
    limiter.setLimit(12);
    await service.sendAll(20);
    expect(mostInAnyWindow(service.arrivals, windowMs)).toBeLessThanOrEqual(12);
    limiter.setLimit(40);
    const before = service.arrivals.length;
    await service.sendAll(28);
    const later = service.arrivals.slice(before);
    expect(later).toHaveLength(28);
    expect(mostInAnyWindow(later, windowMs)).toBeGreaterThan(12);
  });
});

it('sends retries before requests that were queued earlier', async () => {
  const { service } = limited({});
  const held = times(RUN_CONCURRENT, (index) => service.hold(`${index}`));
  await until(() => service.arrivals.length === RUN_CONCURRENT);
  const queued = [service.send('first'), service.send('retry', { isRetry: true })];
  for (const { answer } of held) answer();
  await Promise.all([...queued, ...held.map(({ done }) => done)]);
  expect(service.names.slice(RUN_CONCURRENT)).toEqual(['retry', 'first']);
});

describe('an unused permit', () => {
  // One permit a minute: if an unused permit is not refunded, the next request times out.
  it('is refunded when the request is refused immediately before sending', async () => {
    const pace = { requestsPerMinute: 1 };
    const { service } = limited(pace, { windowMs: A_MINUTE });
    await expect(service.send('refused', { beforeSend })).rejects.toBe(refusal);
    await service.send('next');
    expect(service.names).toEqual(['next']);
  });

  it('is not refunded when a sent request fails, and the failure is passed on', async () => {
    const { limiter, service } = limited({ requestsPerMinute: 1 }, { windowMs: 150 });
    let failedAt = 0;
    const fail = () => {
      failedAt = Date.now();
      return Promise.reject(new Error('broken'));
    };
    const failing = limiter.run(fail, { run: 'one', isRetry: false });
    await expect(failing).rejects.toThrow('broken');
    await service.send('next');
    expect(service.arrivals[0]! - failedAt).toBeGreaterThanOrEqual(150);
  });
});

describe('isIdle', () => {
  it('is true unless a request is queued', async () => {
    const { limiter, service } = limited({ requestsPerMinute: 1 });
    expect(limiter.isIdle).toBe(true);
    const refused = service.send('refused', { beforeSend });
    expect(limiter.isIdle).toBe(false);
    await expect(refused).rejects.toBe(refusal);
    expect(limiter.isIdle).toBe(true);
  });

  it('is true after a request that never connected', async () => {
    const { limiter } = limited({ requestsPerMinute: 1 });
    const send = () => Promise.resolve();
    await limiter.run(send, { run: 'one', isRetry: false }, () => false);
    await until(() => limiter.isIdle);
  });

  it('is false during a pause', async () => {
    const { limiter } = limited({});
    limiter.throttle(50, undefined);
    expect(limiter.isIdle).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(limiter.isIdle).toBe(true);
  });
});

describe('after a 429', () => {
  it('pauses requests that were queued before', async () => {
    const { limiter, service } = limited({});
    const held = times(RUN_CONCURRENT, (index) => service.hold(`${index}`));
    const queued = times(5, async (index) => {
      await service.send(`queued ${index}`);
    });
    await until(() => service.arrivals.length === RUN_CONCURRENT);
    const throttledAt = Date.now();
    limiter.throttle(150, undefined);
    for (const { answer } of held) answer();
    await Promise.all([...queued, ...held.map(({ done }) => done)]);
    const late = service.arrivals.slice(RUN_CONCURRENT);
    expect(Math.min(...late) - throttledAt).toBeGreaterThanOrEqual(150);
  });

  it('fails a request immediately, with the reset time, when the pause exceeds its maximum', async () => {
    const { limiter, service } = limited({});
    const throttledAt = Date.now();
    limiter.throttle(A_MINUTE, undefined);
    const failure = await rejectionOf(service.send('1', { maxPauseMs: 1_000 }));
    if (!(failure instanceof RateLimitError)) throw failure;
    const resetsAt = Date.parse(String(failure.details.resets_at));
    expect(resetsAt - throttledAt).toBeGreaterThanOrEqual(A_MINUTE);
    expect(Date.now() - throttledAt).toBeLessThan(A_MINUTE / 2);
  });

  it('waits for the longest of several pauses', async () => {
    const { limiter, service } = limited({});
    const throttledAt = Date.now();
    limiter.throttle(200, undefined);
    limiter.throttle(20, undefined);
    const sending = service.send('1');
    await new Promise((resolve) => setTimeout(resolve, 60));
    limiter.throttle(250, undefined);
    const throttledAgainAt = Date.now();
    await sending;
    expect(service.arrivals[0]! - throttledAt).toBeGreaterThanOrEqual(300);
    expect(service.arrivals[0]! - throttledAgainAt).toBeGreaterThanOrEqual(240);
  });

  it.each([
    ["the service's limit if it is lower, even when the credential is read again", 100, 200, 5],
    ["the credential's limit if it is lower", 5, undefined, 1_000],
  ])('keeps %s', async (_what, requestsPerMinute, readAgain, stated) => {
    const windowMs = 250;
    const { limiter, service } = limited({ requestsPerMinute }, { windowMs });
    limiter.throttle(1, stated);
    if (readAgain !== undefined) {
      limiter.setLimit(readAgain);
    }
    await service.sendAll(12);
    expect(mostInAnyWindow(service.arrivals, windowMs)).toBeLessThanOrEqual(5);
  });

  it('lifts a lower limit when the service later states a higher one', async () => {
    const { limiter, service } = limited({ requestsPerMinute: 50 }, { windowMs: A_MINUTE });
    limiter.throttle(1, 1);
    limiter.throttle(1, 10_000);
    // With one request a minute, the second would time out.
    const sent = [service.send('1'), service.send('2')];
    await sent[0];
    limiter.setLimit(100_000);
    await Promise.all(sent);
    expect(service.arrivals).toHaveLength(2);
  });
});

describe('cancelling a request', () => {
  it('while queued: rejects immediately, is never sent, and takes no permit', async () => {
    // All permits but one are in use. If the cancelled request takes it, the last one times out.
    const { service } = limited({ requestsPerMinute: RUN_CONCURRENT + 1 }, { windowMs: 6_000 });
    const held = times(RUN_CONCURRENT, (index) => service.hold(`${index}`));
    const stop = new AbortController();
    const cancelled = service.send('cancelled', { signal: stop.signal });
    const next = service.send('next');
    await until(() => service.arrivals.length === RUN_CONCURRENT);
    stop.abort();
    expect(await rejectionOf(cancelled)).toBeInstanceOf(CancelledError);
    for (const { answer } of held) answer();
    await next;
    expect(service.names).not.toContain('cancelled');
    expect(service.names.at(-1)).toBe('next');
  });

  it('while waiting for a permit: rejects immediately, and the next request gets it', async () => {
    const windowMs = 150;
    const { service } = limited({ requestsPerMinute: 1 }, { windowMs });
    await service.send('1');
    const stop = new AbortController();
    const cancelled = service.send('cancelled', { signal: stop.signal });
    const next = service.send('next');
    stop.abort();
    expect(await rejectionOf(cancelled)).toBeInstanceOf(CancelledError);
    await next;
    expect(service.names).toEqual(['1', 'next']);
    expect(service.arrivals[1]! - service.answers[0]!).toBeGreaterThanOrEqual(windowMs);
  });

  it('while paused: rejects immediately, and frees the permits', async () => {
    // The paused requests hold all permits. If cancelling loses them, no later request is sent.
    const { limiter, service } = limited({ requestsPerMinute: 10 }, { windowMs: 200 });
    const pauseMs = 800;
    const throttledAt = Date.now();
    limiter.throttle(pauseMs, undefined);
    const stop = new AbortController();
    const paused = times(10, async (index) => {
      await service.send(`paused ${index}`, { signal: stop.signal });
    });
    // Leaves time for all ten to get a permit, one every 21 ms.
    await new Promise((resolve) => setTimeout(resolve, 450));
    stop.abort();
    for (const error of await Promise.all(paused.map(rejectionOf))) {
      expect(error).toBeInstanceOf(CancelledError);
    }
    await service.send('next');
    expect(service.names).toEqual(['next']);
    expect(service.arrivals[0]! - throttledAt).toBeGreaterThanOrEqual(pauseMs);
  });

  it('in flight: rejects immediately, but still counts, because the service counts it', async () => {
    const windowMs = 150;
    const { service } = limited({ requestsPerMinute: 1 }, { windowMs });
    const stop = new AbortController();
    const { answer, done } = service.hold('cancelled', { signal: stop.signal });
    await until(() => service.arrivals.length === 1);
    stop.abort();
    expect(await rejectionOf(done)).toBeInstanceOf(CancelledError);
    const next = service.send('next');
    answer();
    await next;
    expect(service.arrivals[1]! - service.answers[0]!).toBeGreaterThanOrEqual(windowMs);
  });

  it('before it is queued: rejects and sends nothing', async () => {
    const { service } = limited({});
    const never = service.send('never', { signal: AbortSignal.abort() });
    expect(await rejectionOf(never)).toBeInstanceOf(CancelledError);
    await service.send('next');
    expect(service.names).toEqual(['next']);
  });
});
