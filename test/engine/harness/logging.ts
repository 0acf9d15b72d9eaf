import { Logger as N8nLogger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy, type Logger } from 'n8n-workflow';

/** One line that n8n or a node logged. */
interface LogEntry {
  level: string;
  message: string;
  metadata: unknown;
}

const entries: LogEntry[] = [];
const record = (level: string) => (message: string, metadata?: unknown) => {
  entries.push({ level, message, metadata });
};
const logger: Logger & { scoped: () => Logger } = {
  error: record('error'),
  warn: record('warn'),
  info: record('info'),
  debug: record('debug'),
  scoped: () => logger,
};

/**
 * Keeps all lines that n8n and nodes log in memory instead of printing them.
 *
 * @returns a function that returns the lines logged since this call
 */
export function recordLogs(): () => LogEntry[] {
  // n8n requests its winston-based class from its container, but uses only the Logger methods.
  Container.set(N8nLogger, logger as unknown as N8nLogger);
  LoggerProxy.init(logger);
  const start = entries.length;
  return () => entries.slice(start);
}
