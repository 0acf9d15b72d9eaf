import { Logger as N8nLogger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy, type Logger } from 'n8n-workflow';

/** One line that n8n or a node logged. */
export interface LogEntry {
  level: 'error' | 'warn' | 'info' | 'debug';
  message: string;
  metadata: unknown;
}

const entries: LogEntry[] = [];

/** Keeps every line in memory instead of printing it. Ignores the scope of a logger. */
class RecordingLogger implements Logger {
  error(message: string, metadata?: unknown): void {
    entries.push({ level: 'error', message, metadata });
  }

  warn(message: string, metadata?: unknown): void {
    entries.push({ level: 'warn', message, metadata });
  }

  info(message: string, metadata?: unknown): void {
    entries.push({ level: 'info', message, metadata });
  }

  debug(message: string, metadata?: unknown): void {
    entries.push({ level: 'debug', message, metadata });
  }

  scoped(): this {
    return this;
  }
}

let recording = false;

/**
 * From the first call on, keeps all lines that n8n and nodes log, of every level, in memory.
 *
 * @returns a function that returns the lines logged since this call
 */
export function recordLogs(): () => LogEntry[] {
  if (!recording) {
    const logger = new RecordingLogger();
    // n8n requests its winston-based class from its container, but uses only the Logger methods.
    Container.set(N8nLogger, logger as unknown as N8nLogger);
    LoggerProxy.init(logger);
    recording = true;
  }
  const start = entries.length;
  return () => entries.slice(start);
}
