import type { NodeExecutionHint } from 'n8n-workflow';

import type { BatchReport } from '../api/batches';
import type { DomainRow } from './domain-rows';

/** What the user should know about a run, shown above the node's output. */
export function summarize(rows: readonly DomainRow[], report: BatchReport): NodeExecutionHint[] {
  const invalid = rows.filter((row) => row.kind === 'invalid').length;
  const sentences = [
    `${count(rows.length, 'row')}, ${count(report.outcomes.size, 'distinct domain')}, answered in ${count(report.answers, 'request')}.`,
  ];
  if (invalid > 0) {
    sentences.push(`${count(invalid, 'row')} without a usable domain cost nothing.`);
  }
  const hints: NodeExecutionHint[] = [
    { type: 'info', location: 'outputPane', message: sentences.join(' ') },
  ];
  if (report.oddities.length > 0) {
    const fields = report.oddities.slice(0, 5).map(({ field, problem }) => `${field} (${problem})`);
    hints.push({
      type: 'warning',
      location: 'outputPane',
      message: `The service sent fields of an unexpected type; they were kept as they came: ${fields.join(', ')}.`,
    });
  }
  return hints;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
