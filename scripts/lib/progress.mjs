/**
 * Runs a step of a longer job, and reports its start and end on stderr.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} run
 */
export async function step(title, run) {
  const started = Date.now();
  let mark = '✗';
  process.stderr.write(`  … ${title}\n`);
  try {
    const result = await run();
    mark = '✓';
    return result;
  } finally {
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    process.stderr.write(`  ${mark} ${title} (${seconds} s)\n`);
  }
}
