/** Tests that a 429 pauses all requests of a key (`src/client/limiter/key-limiter.ts`). */
import { CancelledError, RateLimitError } from '../../../../src/client/errors';
import { RUN_CONCURRENT } from '../../../../src/client/limiter/key-limiter';
import { limited, times } from '../support/limited-service';
import { mostInAnyWindow, rejectionOf, until } from '../support/timing';

const A_MINUTE = 60_000;

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
    expect(failure).toBeInstanceOf(RateLimitError);
    const resetsAt = failure instanceof RateLimitError ? failure.details['resets_at'] : undefined;
    expect(Date.parse(String(resetsAt)) - throttledAt).toBeGreaterThanOrEqual(A_MINUTE);
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

  it('keeps a lower limit that the service states, even when the credential is read again', async () => {
    const windowMs = 250;
    const { limiter, service, pace } = limited({ requestsPerMinute: 100 }, { windowMs });
    limiter.throttle(1, 5);
    limiter.setLimits(pace);
    limiter.setLimits({ ...pace, requestsPerMinute: 200 });
    await service.sendAll(12);
    expect(mostInAnyWindow(service.arrivals, windowMs)).toBeLessThanOrEqual(5);
  });

  it("keeps the credential's limit when the service states a higher one", async () => {
    const windowMs = 250;
    const { limiter, service } = limited({ requestsPerMinute: 5 }, { windowMs });
    limiter.throttle(1, 1_000);
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
    limiter.setLimits({ requestsPerMinute: 100_000, requestsPerDay: 100 });
    await Promise.all(sent);
    expect(service.arrivals).toHaveLength(2);
  });
});

describe('cancelling a request', () => {
  it('while queued: rejects immediately, is never sent, and takes no permit', async () => {
    // All permits but one are in use. If the cancelled
    // request takes it, the last request times out.
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
