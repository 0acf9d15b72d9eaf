import { NotAttemptedError, RateLimitError } from '../../../../src/client/errors';
import { KEY_CONCURRENT } from '../../../../src/client/limiter/key-limiter';
import { formatMoment } from '../../../../src/client/format-moment';
import { limited, times } from '../support/limited-service';
import { mostInAnyWindow, rejectionOf, until } from '../support/timing';

const A_MINUTE = 60_000;

describe('the limit per window', () => {
  it('is never exceeded as the service counts arrivals, wherever its windows begin', async () => {
    const windowMs = 300;
    const { service } = limited({ requestsPerMinute: 30 }, { windowMs });
    await Promise.all(
      times(110, async (index) => {
        await service.send(`${index}`, {}, index % 7, index % 5);
      }),
    );
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
    const { limiter, service, pace } = limited({ requestsPerMinute: 20 }, { windowMs });
    await service.sendAll(10);
    limiter.setLimits({ ...pace, requestsPerMinute: 12 });
    await service.sendAll(20);
    expect(mostInAnyWindow(service.arrivals, windowMs)).toBeLessThanOrEqual(12);
    limiter.setLimits({ ...pace, requestsPerMinute: 40 });
    const before = service.arrivals.length;
    await service.sendAll(28);
    const later = service.arrivals.slice(before);
    expect(later).toHaveLength(28);
    expect(mostInAnyWindow(later, windowMs)).toBeGreaterThan(12);
  });
});

describe('an unused permit', () => {
  // One permit a minute: if an unused permit is not refunded, the next request times out.
  it('is refunded when the request is refused immediately before sending', async () => {
    const { service } = limited(
      { requestsPerMinute: 1, requestsPerDay: 1 },
      { windowMs: A_MINUTE },
    );
    const refusal = new NotAttemptedError({ code: 'no', message: 'no', hint: 'no' });
    const refused = service.send('refused', {
      beforeSend: () => {
        throw refusal;
      },
    });
    await expect(refused).rejects.toBe(refusal);
    await service.send('next');
    expect(service.names).toEqual(['next']);
  });

  it('is refunded when the daily limit forbids the request', async () => {
    const { limiter, service, pace } = limited(
      { requestsPerMinute: 3, requestsPerDay: 2 },
      { windowMs: A_MINUTE },
    );
    await service.send('1');
    await service.send('2');
    const error = await rejectionOf(service.send('3'));
    if (!(error instanceof RateLimitError)) throw error;
    expect(error.code).toBe('daily_limit_reached');
    expect(error.message).toMatch(/daily limit of 2 requests/);
    expect(error.message).toContain(formatMoment(Date.parse(String(error.details.resets_at))));
    limiter.setLimits({ ...pace, requestsPerDay: 3 });
    await service.send('4');
    expect(service.names).toEqual(['1', '2', '4']);
  });

  it('is not refunded when a sent request fails, and the failure is passed on', async () => {
    const { limiter, service } = limited({ requestsPerMinute: 1 }, { windowMs: 150 });
    let failedAt = 0;
    const failing = limiter.run(
      () => {
        failedAt = Date.now();
        return Promise.reject(new Error('broken'));
      },
      { run: 'one', isRetry: false },
    );
    await expect(failing).rejects.toThrow('broken');
    await service.send('next');
    expect(service.arrivals[0]! - failedAt).toBeGreaterThanOrEqual(150);
  });
});

describe('isIdle', () => {
  it('is true unless a request is queued', async () => {
    const { limiter, service } = limited({ requestsPerMinute: 1 });
    expect(limiter.isIdle).toBe(true);
    const refused = service.send('refused', {
      beforeSend: () => {
        throw new Error('no');
      },
    });
    expect(limiter.isIdle).toBe(false);
    await expect(refused).rejects.toThrow('no');
    expect(limiter.isIdle).toBe(true);
  });

  it('is true after a request that never connected', async () => {
    const { limiter } = limited({ requestsPerMinute: 1 });
    const turn = { run: 'one', isRetry: false };
    await limiter.run(
      () => Promise.resolve('unsent'),
      turn,
      (result) => result !== 'unsent',
    );
    await until(() => limiter.isIdle);
  });

  it('is false during a pause', async () => {
    const { limiter } = limited({});
    limiter.throttle(50, undefined);
    expect(limiter.isIdle).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(limiter.isIdle).toBe(true);
  });

  it('is true when the last request is more than a day ago', async () => {
    const { limiter, service } = limited({}, { windowMs: 20 });
    await service.send('1');
    expect(limiter.isIdle).toBe(false);
    // After this time the permit is free again, so only the 24 hours keep the limiter busy.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now');
    const inHours = (hours: number) => {
      clock.mockReturnValue(now + hours * 3_600_000);
      return limiter.isIdle;
    };
    expect([inHours(0), inHours(23), inHours(24.1)]).toEqual([false, false, true]);
    clock.mockRestore();
  });
});
