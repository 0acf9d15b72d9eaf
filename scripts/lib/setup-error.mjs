/**
 * A failure the reader can act on: what went wrong, how to fix it, and where the details are.
 * Scripts print it without a stack trace (see `reportAndExit`).
 */
export class SetupError extends Error {
  /**
   * @param {string} message what went wrong, in one sentence
   * @param {{fix?: string, logPath?: string, cause?: unknown}} [details] how to fix it; the log with the details
   */
  constructor(message, { fix, logPath, cause } = {}) {
    super(message, { cause });
    this.name = 'SetupError';
    this.fix = fix;
    this.logPath = logPath;
  }

  /** The message as printed to a terminal, one line per part. */
  format() {
    const lines = [`✗ ${this.message}`];
    if (this.fix) lines.push(`  Fix: ${this.fix}`);
    if (this.logPath) lines.push(`  Log: ${this.logPath}`);
    return lines.join('\n');
  }
}

/**
 * Prints an error for a person and sets the exit code 1; the stack only when the error is a surprise.
 *
 * @param {unknown} error
 */
export function reportFailure(error) {
  process.exitCode = 1;
  if (error instanceof SetupError) {
    console.error(`\n${error.format()}`);
    return;
  }
  console.error('\n✗ Unexpected failure. Please report it with the text below.');
  console.error(error);
}
