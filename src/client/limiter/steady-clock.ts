/** The clock when this process began to count. */
const BEGAN_AT = Date.now() - performance.now();

/**
 * Unix time in milliseconds as it was when this process began, and has gone on evenly since: whoever
 * sets the clock, it never jumps. For moments that are compared with one another; durations need
 * `performance.now()` only.
 */
export function steadyNow(): number {
  return BEGAN_AT + performance.now();
}
