/** Simulates minutes of requests in seconds: jest controls the clock and the limiter's timers. */
import { REAL_TIME } from '../../../../src/client/settings';
import { limited } from '../support/limited-service';
import { mostInAnyWindow } from '../support/timing';

const MINUTE = 60_000;
const LATENCY_MS = 50;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const pass = async (ms: number): Promise<void> => {
  await jest.advanceTimersByTimeAsync(ms);
};

/** Returns a limiter of 600 requests a minute, and the arrival times at the service. */
function busyKey() {
  const { limiter, service } = limited({ requestsPerMinute: 600 }, REAL_TIME);
  const send = async (run: string) => {
    await service.send('', { run }, 0, LATENCY_MS);
  };
  /** Keeps as many requests in flight as one run does, until the returned function is called. */
  const work = (run: string): (() => void) => {
    const stopping = new AbortController();
    for (let worker = 0; worker < 90; worker += 1) {
      void (async () => {
        while (!stopping.signal.aborted) await send(run);
      })();
    }
    return () => {
      stopping.abort();
    };
  };
  return { limiter, arrivals: service.arrivals, send, work };
}

it('reaches 99% of the limit in a long run and never exceeds it', async () => {
  const { arrivals, work } = busyKey();
  const stop = work('long');
  for (let minute = 0; minute < 5; minute += 1) await pass(MINUTE);
  stop();
  expect(arrivals.length).toBeGreaterThanOrEqual(0.99 * 600 * 5);
  expect(mostInAnyWindow(arrivals, MINUTE)).toBeLessThanOrEqual(600);
}, 60_000);

it("sends most of a minute's requests in one burst when the key was idle", async () => {
  const { arrivals, work } = busyKey();
  const stop = work('long');
  await pass(3_000);
  stop();
  expect(arrivals.length).toBeGreaterThanOrEqual(500);
}, 60_000);

it('keeps 98% of the limit, evenly spaced, after a 429', async () => {
  const { limiter, arrivals, work } = busyKey();
  limiter.throttle(1_000, undefined);
  const stop = work('long');
  await pass(2_000);
  const before = arrivals.length;
  for (let minute = 0; minute < 3; minute += 1) await pass(MINUTE);
  stop();
  expect(arrivals.length - before).toBeGreaterThanOrEqual(0.98 * 600 * 3);
  // A token bucket of 20 that refills with 10 per second would refuse none of these requests.
  expect(mostInAnyWindow(arrivals, 1_000)).toBeLessThanOrEqual(20);
}, 60_000);

it.each([2_000, 20_000, 58_000, 63_000, 130_000])(
  'sends the request of a new run within 3 s when a long run began %d ms earlier',
  async (moment) => {
    const { send, work } = busyKey();
    const stop = work('long');
    await pass(moment);
    let done = false;
    void send('one row').then(() => (done = true));
    await pass(3_000);
    stop();
    expect(done).toBe(true);
  },
  60_000,
);
