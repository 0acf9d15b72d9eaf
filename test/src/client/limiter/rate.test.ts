/** The rate of one key: simulated minutes, because jest controls the clock and all timers. */
import { REAL_TIME } from '../../../../src/client/settings';
import { controlTime, limited } from '../support/limited-service';
import { mostInAnyWindow } from '../support/timing';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const LATENCY = 50;

const pass = controlTime();

const key = (limit = 600) => {
  const { limiter, service } = limited(limit, REAL_TIME);
  const { arrivals } = service;
  const sentIn = async (ms: number) => {
    const before = arrivals.length;
    await pass(ms);
    return arrivals.length - before;
  };
  const work = () => service.work('long', LATENCY);
  return { limiter, service, arrivals, sentIn, work, start: performance.now() };
};

const perSecond = (moments: readonly number[]) => {
  const counts: Record<number, number> = {};
  for (const second of moments.map((at) => Math.floor(at / SECOND))) {
    counts[second] = (counts[second] ?? 0) + 1;
  }
  return Object.values(counts);
};

it.each([600, 100, 7])(
  'reaches 99%% of a limit of %d in five minutes, and exceeds it in no minute',
  async (limit) => {
    const { arrivals, work, start } = key(limit);
    work();
    await pass(5 * MINUTE);
    expect(arrivals.length).toBeGreaterThanOrEqual(Math.floor(0.99 * limit * 5));
    expect(mostInAnyWindow(arrivals, MINUTE)).toBeLessThanOrEqual(limit);
    // The burst happens once. After the first minute, requests are spread evenly.
    const later = perSecond(arrivals.filter((at) => at > start + 63 * SECOND));
    expect(Math.max(...later)).toBeLessThanOrEqual(Math.ceil(limit / 57) + 1);
  },
);

it.each([2, 20, 58, 63, 130])(
  'sends the request of a run that starts %d s behind a long one within 2.5 s',
  async (seconds) => {
    const { service, work } = key();
    work();
    await pass(seconds * SECOND);
    void service.send('one row', { run: 'short' });
    await pass(2.5 * SECOND);
    expect(service.names).toContain('one row');
  },
);

it.each([600, 100])(
  'sends 90%% of a limit of %d as a burst, and leaves the rest to a run that starts behind it',
  async (limit) => {
    const { sentIn, work } = key(limit);
    work();
    const burst = await sentIn(3 * SECOND);
    expect(burst).toBeGreaterThanOrEqual(0.9 * limit);
    expect(burst).toBeLessThanOrEqual(0.92 * limit);
  },
);

it('sends no more than the pace after traffic, a 429 and its pause', async () => {
  const { limiter, arrivals, sentIn, work, start } = key();
  work();
  const before = await sentIn(200);
  limiter.throttle(3 * SECOND, undefined);
  expect(await sentIn(2_900)).toBe(0);
  await pass(57 * SECOND);
  const after = arrivals.slice(before);
  expect(after[0]! - start).toBeLessThanOrEqual(3_500);
  expect(Math.max(...perSecond(after))).toBeLessThanOrEqual(11);
  expect(await sentIn(3 * MINUTE)).toBeGreaterThanOrEqual(0.98 * 600 * 3);
});

it.each([-DAY, 365 * DAY])('stops nothing when the clock is set by %d ms', async (byMs) => {
  const { arrivals, work, start } = key();
  work();
  for (let round = 1; round <= 4; round += 1) {
    await pass(20 * SECOND);
    jest.setSystemTime(Date.now() + byMs);
  }
  await pass(40 * SECOND);
  expect(arrivals.length).toBeGreaterThanOrEqual(1_190);
  expect(mostInAnyWindow(arrivals, MINUTE)).toBeLessThanOrEqual(600);
  const gaps = arrivals.map((at, index) => at - (arrivals[index - 1] ?? start));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(SECOND);
});

it('follows a limit that is lowered and raised while requests wait, and counts earlier ones', async () => {
  const { limiter, arrivals, sentIn, work } = key();
  work();
  await pass(3 * MINUTE);
  limiter.setLimit(120);
  await pass(MINUTE);
  const lowered = await sentIn(2 * MINUTE);
  expect(lowered).toBeLessThanOrEqual(240);
  expect(lowered).toBeGreaterThanOrEqual(237);
  limiter.setLimit(600);
  expect(await sentIn(2 * MINUTE)).toBeGreaterThanOrEqual(1_180 - 120);
  expect(mostInAnyWindow(arrivals, MINUTE)).toBeLessThanOrEqual(600);
});

it('uses a raised limit soon, although slots were asked for at the slow pace', async () => {
  const { limiter, sentIn, work } = key(6);
  limiter.throttle(1, undefined);
  work();
  await pass(25 * SECOND);
  limiter.setLimit(600);
  expect(await sentIn(15 * SECOND)).toBeGreaterThanOrEqual(40);
});

it('keeps a limit that the service stated at later 429s, until it states another', async () => {
  const { limiter, sentIn, work } = key();
  work();
  limiter.throttle(SECOND, 60);
  limiter.throttle(SECOND, undefined);
  limiter.setLimit(600);
  const stated = await sentIn(2 * MINUTE);
  expect(stated).toBeGreaterThanOrEqual(115);
  expect(stated).toBeLessThanOrEqual(120);
  limiter.throttle(SECOND, 10_000);
  expect(await sentIn(2 * MINUTE)).toBeGreaterThanOrEqual(1_100);
});

it('forgets the pace and the stated limit an hour after the last 429', async () => {
  const { limiter, sentIn, work } = key();
  limiter.throttle(SECOND, 60);
  await pass(59 * MINUTE);
  limiter.throttle(SECOND, undefined);
  await pass(59 * MINUTE);
  work();
  expect(await sentIn(30 * SECOND)).toBeLessThanOrEqual(30);
  await pass(32 * SECOND);
  expect(await sentIn(30 * SECOND)).toBeGreaterThanOrEqual(290);
  // Another 429 without a limit slows the key, but not to the limit that was forgotten.
  limiter.throttle(SECOND, undefined);
  await pass(MINUTE);
  expect(await sentIn(MINUTE)).toBeGreaterThanOrEqual(590);
});

it('frees a permit one window after the response, and at once if nothing was sent', async () => {
  const { limiter, service, arrivals, start } = key(1);
  const nothing = async () => await Promise.resolve();
  void limiter.run(nothing, { run: 'one', isRetry: false }, () => false);
  void service.send('slow', {}, 30 * SECOND);
  void service.send('next');
  await pass(SECOND);
  expect(service.names).toEqual(['slow']);
  await pass(2 * MINUTE);
  expect(arrivals[1]! - start).toBeGreaterThanOrEqual(90 * SECOND);
  expect(arrivals[1]! - start).toBeLessThanOrEqual(91 * SECOND);
});
