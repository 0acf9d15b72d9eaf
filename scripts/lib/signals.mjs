/** Interval of the checks whether npm still runs, in milliseconds. */
const LOOK_EVERY_MS = 500;

/**
 * Calls `stop` for every request to end this process: Ctrl-C, a signal, a closed terminal, or the
 * end of the npm that runs it. npm forwards signals only to a shell, which exits without notifying
 * this process.
 *
 * @param {(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', exitCode: number) => void} stop receives the
 *   exit code that shells use
 */
export function onEndAsked(stop) {
  process.on('SIGINT', () => stop('SIGINT', 130));
  process.on('SIGTERM', () => stop('SIGTERM', 143));
  process.on('SIGHUP', () => stop('SIGHUP', 129));

  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop('SIGTERM', 143);
  }, LOOK_EVERY_MS);
  timer.unref();
}
