import type { NodeExecutionHint } from 'n8n-workflow';

import { shortened } from '../../input/quote';
import { count, numberText, tally } from '../figures';
import { hint } from '../hint';
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
  const counts = mostFrequent(statuses).map(([status, rows]) => `${numberText(rows)} ${status}`);
  if (failures.length > 0) counts.push(`${numberText(failures.length)} failed`);
  const reasons = mostFrequent(failures).map(
    ([why, rows]) => `${shortened(why)} (${count(rows, 'row')}).`,
  );
  const more = reasons.length > TOLD_REASONS ? ['Other rows failed for other reasons.'] : [];
  const told = [
    `What became of ${count(results.length, 'row')}: ${counts.join(', ')}.`,
    ...reasons.slice(0, TOLD_REASONS),
    ...more,
  ];
  return hint(told.join(' '), failures.length > 0 ? 'warning' : 'info');
}

function statusOf({ status }: { readonly status?: unknown }): string {
  return typeof status === 'string' ? shortened(status.replaceAll('_', ' ')) : 'answered';
}

function mostFrequent(words: readonly string[]): Array<[word: string, times: number]> {
  return [...tally(words)].sort(([, a], [, b]) => b - a);
}
