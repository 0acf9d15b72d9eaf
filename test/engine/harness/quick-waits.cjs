'use strict';

/**
 * Makes time pass many times faster while a test only waits, for example for the next retry. Real
 * work takes its normal time: timers of n8n and of the nodes are fake, but sockets and files are
 * real.
 */
const { performance } = require('node:perf_hooks');

/** Milliseconds between two checks for activity. Without any, the clock advances by LEAP_MS. */
const LOOK_MS = 2;
const LEAP_MS = 50;
/** Less active time than this between two checks counts as no activity. */
const NOTHING_MS = 0.5;

const { setInterval, clearInterval } = globalThis;
jest.useFakeTimers({
  // @ts-expect-error -- Jest's types do not know Intl, which its timers replace too.
  doNotFake: ['Intl', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  now: Date.now(),
});

let last = performance.eventLoopUtilization();
let lookedAt = performance.now();
const looking = setInterval(() => {
  const since = performance.eventLoopUtilization(last);
  last = performance.eventLoopUtilization();
  const now = performance.now();
  jest.advanceTimersByTime(Math.round(now - lookedAt) + (since.active < NOTHING_MS ? LEAP_MS : 0));
  lookedAt = now;
}, LOOK_MS);
afterAll(() => {
  clearInterval(looking);
});
