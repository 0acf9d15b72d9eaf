import type { RunStats } from '../../run/run-stats';
import { joinFirst } from '../../input/quote';
import { formatCost, formatCount, formatNumber } from '../format';
import type { ShortenedResults } from './shorten-results';

/** Facts about a response for the note to the model. */
export interface NoteFacts {
  readonly shortened: Pick<ShortenedResults, 'results' | 'of' | 'fields'>;
  /** Cost of the call, and number of list rows that were not read. */
  readonly figures: Pick<RunStats, 'creditsAtMost' | 'readBefore' | 'unconfirmed' | 'left'>;
  /** Number of list rows among the results; undefined if the operation reads no list. */
  readonly rows: number | undefined;
  readonly offset: number;
  /** Whether the model can set Offset. */
  readonly hasOffset: boolean;
  /** Whether the remaining credits limited the number of rows. */
  readonly isByCredits: boolean;
  /** IDs of jobs that are still running. */
  readonly jobs: readonly string[];
  /** Warnings of the run. */
  readonly warnings: readonly string[];
}

/**
 * Returns the note after the results. It is the only way for a model to learn what n8n's editor shows as
 * hints.
 *
 * @returns Undefined if nothing was omitted, limited or spent.
 */
export function formatNote(facts: NoteFacts): string | undefined {
  const sentences = [
    ...(facts.shortened.of === 0 ? ['No results: nothing matches.'] : []),
    ...formatLeftOut(facts),
    ...(facts.figures.creditsAtMost > 0 ? [formatCost(facts.figures)] : []),
    ...formatNextPage(facts),
    ...formatJobs(facts.jobs),
    ...new Set(facts.warnings),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Maximum number of names in a sentence. */
const MAX_NAMES = 5;

function formatLeftOut({ shortened, figures: { left }, rows, isByCredits }: NoteFacts): string[] {
  const { results, of, fields } = shortened;
  const cutOff = of - results.length;
  const sentences: string[] = [];
  if (rows !== undefined && left + cutOff > 0) {
    sentences.push(`${formatNumber(rows - cutOff)} of ${formatCount(rows + left, 'row')}.`);
  } else if (cutOff > 0) {
    sentences.push(`${formatNumber(results.length)} of ${formatCount(of, 'result')}.`);
  }
  if (isByCredits && left > 0) sentences.push('Max Credits covers no more.');
  if (cutOff > 0) {
    sentences.push(
      'The others were omitted to keep the response short; asking for them again is free.',
    );
  }
  if (fields.size > 0) sentences.push(`Too long and cut: ${joinFirst([...fields], MAX_NAMES)}.`);
  return sentences;
}

function formatNextPage({
  shortened,
  figures: { left },
  rows,
  offset,
  hasOffset,
}: NoteFacts): string[] {
  const cutOff = shortened.of - shortened.results.length;
  if (rows === undefined || left + cutOff === 0) return [];
  const next = formatNumber(offset + rows - cutOff);
  return [hasOffset ? `For more, set Offset to ${next}.` : `More rows start at Offset ${next}.`];
}

function formatJobs(jobs: readonly string[]): string[] {
  if (jobs.length === 0) return [];
  return [
    `Still running: later, get or wait for the refresh job with job_id ${joinFirst(jobs, MAX_NAMES)}. Do not start it again.`,
  ];
}
