'use strict';

/**
 * While a test only waits, such as for the next try of a request, time runs many times as fast. What
 * happens meanwhile takes as long as ever: timers are n8n's and ours, sockets and files are real.
 */
const { performance } = require('node:perf_hooks');

/** How often is looked at what has happened, and how far the clock then goes if nothing has. */
const LOOK_MS = 2;
const LEAP_MS = 50;
/** Less work than this between two looks is nothing but looking. */
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
