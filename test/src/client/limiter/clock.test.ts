/** Tests that durations stay right when the clock of the machine is set during requests. */
import { limited } from '../support/limited-service';
import { mostInAnyWindow } from '../support/timing';

const DAY = 24 * 60 * 60_000;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Sets the clock; it runs on from the new time. */
function setClock(byMs: number): void {
  const real = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
}

/** Returns a limiter and a service that measures arrivals with a clock that no test sets. */
const byRealTime = (requestsPerMinute: number, windowMs: number) =>
  limited({ requestsPerMinute }, { windowMs }, () => performance.now());

describe.each([-DAY, -90_000, DAY, 365 * DAY])('when the clock is set by %d ms', (byMs) => {
  it('keeps spacing requests evenly after a 429', async () => {
    const { limiter, service } = byRealTime(20, 400);
    limiter.throttle(10, undefined);
    const start = performance.now();
    await service.sendAll(5);
    setClock(byMs);
    await service.sendAll(5);
    expect(service.arrivals).toHaveLength(10);
    // 20 requests in 400 ms make nine gaps of 20 ms, even if a busy machine delays single requests.
    expect(service.arrivals.at(-1)! - start).toBeGreaterThanOrEqual(9 * 20);
  });

  it('frees permits when their window is over, and never exceeds the limit', async () => {
    const windowMs = 300;
    const { service } = byRealTime(5, windowMs);
    await service.sendAll(5);
    setClock(byMs);
    await service.sendAll(12);
    expect(service.arrivals).toHaveLength(17);
    expect(mostInAnyWindow(service.arrivals, windowMs - 1)).toBeLessThanOrEqual(5);
  });

  it('pauses at least as long as requested', async () => {
    const { limiter, service } = byRealTime(600, 60_000);
    const start = performance.now();
    limiter.throttle(150, undefined);
    setClock(byMs);
    await service.send('1');
    expect(service.arrivals[0]! - start).toBeGreaterThanOrEqual(149);
  });
});
