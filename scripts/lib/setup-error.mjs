import { readFileSync } from 'node:fs';

/**
 * A failure that the user can fix, with the problem, the fix, and the path of the details. Scripts
 * print it without a stack trace (see `reportFailure`).
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

  /**
   * @param {string} message
   * @param {string} fix
   * @param {string} logPath its end follows the message
   */
  static ofLog(message, fix, logPath) {
    const end = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-12);
    return new SetupError([message, ...end].join('\n    | '), { fix, logPath });
  }

  /** Formats the message for a terminal, one line per part. */
  format() {
    const lines = [`✗ ${this.message}`];
    if (this.fix) lines.push(`  Fix: ${this.fix}`);
    if (this.logPath) lines.push(`  Log: ${this.logPath}`);
    return lines.join('\n');
  }
}

/**
 * Prints an error for a person and sets the exit code to 1. Prints the stack only for unexpected
 * errors.
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
