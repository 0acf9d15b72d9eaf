import type { NodeExecutionHint } from 'n8n-workflow';

import { shortened } from '../../api/quote';
import type { RowResult } from './items';

/** Reasons of failures that are told; more would be a list of their own. */
const TOLD_REASONS = 3;

/**
 * What became of the rows of a run, by their status, and why some failed: `What became of 240 rows: 195
 * tracked, 40 not tracked, 5 failed. Not enough credits (5 rows).`
 */
export function outcomesHint(results: readonly RowResult[]): NodeExecutionHint {
  const failures = results.flatMap((row) => (row.kind === 'failure' ? [row.failure.message] : []));
  const statuses = results.flatMap((row) => (row.kind === 'result' ? [statusOf(row.result)] : []));
  const counts = tally(statuses).map(([status, number]) => `${numberOf(number)} ${status}`);
  if (failures.length > 0) counts.push(`${numberOf(failures.length)} failed`);
  const reasons = tally(failures).map(([why, number]) => `${shortened(why)} (${rows(number)}).`);
  const more = reasons.length > TOLD_REASONS ? ['Other rows failed for other reasons.'] : [];
  return {
    type: failures.length > 0 ? 'warning' : 'info',
    location: 'outputPane',
    message: [
      `What became of ${rows(results.length)}: ${counts.join(', ')}.`,
      ...reasons.slice(0, TOLD_REASONS),
      ...more,
    ].join(' '),
  };
}

function statusOf({ status }: { readonly status?: unknown }): string {
  return typeof status === 'string' ? shortened(status.replaceAll('_', ' ')) : 'answered';
}

/** The most frequent first. */
function tally(words: readonly string[]): Array<[word: string, times: number]> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

function rows(number: number): string {
  return `${numberOf(number)} row${number === 1 ? '' : 's'}`;
}

function numberOf(number: number): string {
  return number.toLocaleString('en-US');
}
