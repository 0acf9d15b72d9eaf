/** How often we look whether npm is still there. */
const LOOK_EVERY_MS = 500;

/**
 * Calls `stop` for every request to end this process: Ctrl-C, a signal, a closed
 * terminal, and the end of the npm that runs it. npm passes signals on to a shell only, which dies
 * without a word to us.
 *
 * @param {(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', exitCode: number) => void} stop gets the exit code that shells use
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
