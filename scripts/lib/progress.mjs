/** Interval at which a step that cannot redraw its line reports that it is still running. */
const HEARTBEAT_SECONDS = 30;

/**
 * Runs one step of a longer job and shows its progress on stderr. On a terminal, it shows one line
 * that counts the seconds. Elsewhere (CI logs), it prints a line at the start, every 30 s, and at
 * the end.
 *
 * @template T
 * @param {string} title what is being done, such as "Installing n8n 2.41.1"
 * @param {(say: (detail: string) => void) => Promise<T>} run does the work; `say` shows its current
 *   state
 * @returns {Promise<T>} what `run` returned
 */
export async function step(title, run) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const terminal = process.stderr.isTTY === true;
  let detail = '';

  const draw = () => {
    const text = `  … ${title} ${seconds()} s${detail ? ` (${detail})` : ''}`;
    process.stderr.write(`\r\x1b[2K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  };
  const beat = () => process.stderr.write(`  … ${title}: ${detail || 'running'}, ${seconds()} s\n`);

  if (terminal) draw();
  else process.stderr.write(`  … ${title}\n`);
  const timer = setInterval(terminal ? draw : beat, terminal ? 1000 : HEARTBEAT_SECONDS * 1000);

  try {
    const result = await run((text) => {
      detail = text;
      if (terminal) draw();
    });
    finish('✓');
    return result;
  } catch (error) {
    finish('✗');
    throw error;
  }

  /** @param {string} mark */
  function finish(mark) {
    clearInterval(timer);
    if (terminal) process.stderr.write('\r\x1b[2K');
    process.stderr.write(`  ${mark} ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  }
}
