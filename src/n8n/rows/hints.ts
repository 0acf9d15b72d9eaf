import type { NodeExecutionHint } from 'n8n-workflow';

import { shortened } from '../../input/quote';
import type { Oddity } from '../../run/answers/batch-answer';
import { hundredths, type Figures } from '../../run/figures';
import { count, hint, mostFrequent, numberText, shareText, spentText } from '../figures';
import type { DomainCounts, DomainRows } from './domain-rows';
import type { NameCounts } from './by-name';
import type { Outcome } from './rows';

/** What is told of the answers of a run. */
export interface Answered {
  /** How many distinct ones were asked for. */
  readonly domains: number;
  readonly answers: number;
  readonly oddities: readonly Oddity[];
  /** What came of names that were looked up. */
  readonly names?: NameCounts | undefined;
}

/**
 * What the user should know about a run, shown above the node's output.
 *
 * @param spent what it has come to, where it may cost credits.
 */
export function summarize(
  { counts, invalid }: Pick<DomainRows<unknown>, 'counts' | 'invalid'>,
  report: Answered,
  spent?: Figures,
): NodeExecutionHint[] {
  const sentences = [
    `${count(counts.rows, 'row')}, ${count(report.domains, 'distinct domain')}, answered in ${requests(report.answers)}.`,
  ];
  if (invalid.length > 0) {
    sentences.push(`${count(invalid.length, 'row')} without a usable domain cost nothing.`);
  }
  if (report.names !== undefined) sentences.push(namesText(report.names));
  if (spent !== undefined) {
    if (spent.asked > 0) sentences.push(`Found: ${shareText(spent.found, spent.asked)}.`);
    sentences.push(spentText(spent));
  }
  const hints = [hint(sentences.join(' ')), ...warnOfNoDomain(counts, invalid)];
  if (report.oddities.length > 0) {
    const fields = report.oddities.slice(0, 5).map(({ field, problem }) => `${field} (${problem})`);
    hints.push(
      hint(
        `The service sent fields of an unexpected type; they were kept as they came: ${fields.join(', ')}.`,
        'warning',
      ),
    );
  }
  return hints;
}

/** What came of the names of a run, as a sentence or two. */
function namesText({ matched, ambiguous, unknown, unread, credits }: NameCounts): string {
  const text = `Names: ${numberText(matched)} matched, ${numberText(ambiguous)} ambiguous, ${numberText(unknown)} unknown, for up to ${count(credits, 'credit')}.`;
  if (unread === 0) return text;
  return `${text} For ${count(unread, 'unknown name')}, there are companies that were not read: raise Candidates per Name.`;
}

/**
 * Of a sample, what the whole would come to at the same rates; nothing when all was asked for.
 *
 * @param onlyFirst how many companies were to be asked for; 0 for all.
 */
export function projected(
  { distinct_companies: whole }: DomainCounts,
  onlyFirst: number,
  { asked, found, creditsAtMost }: Figures,
): NodeExecutionHint[] {
  if (onlyFirst === 0 || asked === 0 || onlyFirst >= whole) return [];
  const scaled = (part: number) => Math.round((part * whole) / asked);
  const told = `This was a sample of ${shareText(asked, whole, 'companies')}. At the same rate, about ${numberText(scaled(found))} of all would be found, for about ${count(scaled(creditsAtMost), 'credit')}; what the sample has read is free then.`;
  return [hint(told)];
}

/**
 * A warning when not one row holds a domain. That is no error, as lists may be junk, but far more
 * often the Domain parameter names the wrong field or is fixed text instead of an expression.
 */
export function warnOfNoDomain(
  { rows }: DomainCounts,
  invalid: readonly string[],
): NodeExecutionHint[] {
  if (rows === 0 || invalid.length < rows) return [];
  return [
    hint(
      'No row has a usable domain. Check that Domain is an expression for the field with the website, e-mail address or domain: drag that field from the input into it.',
      'warning',
    ),
  ];
}

/** A request that other executions shared counts with this one's part of it. */
function requests(answers: number): string {
  if (Number.isInteger(answers)) return count(answers, 'request');
  return `${count(hundredths(answers), 'request')} (other executions shared one)`;
}

/** Reasons of failures that are told; more would be a list of their own. */
const TOLD_REASONS = 3;

/**
 * What became of the rows of a run, by their status, and why some failed: `What became of 240 rows: 195
 * tracked, 40 not tracked, 5 failed. Not enough credits (5 rows).`
 */
export function outcomesHint(outcomes: readonly Outcome[]): NodeExecutionHint {
  const failures = outcomes.flatMap(({ failure }) => failure?.message ?? []);
  const statuses = outcomes.flatMap(({ outputs }) => outputs.map(({ json }) => statusOf(json)));
  const counts = mostFrequent(statuses).map(([status, rows]) => `${numberText(rows)} ${status}`);
  if (failures.length > 0) counts.push(`${numberText(failures.length)} failed`);
  const reasons = mostFrequent(failures).map(
    ([why, rows]) => `${shortened(why)} (${count(rows, 'row')}).`,
  );
  const more = reasons.length > TOLD_REASONS ? ['Other rows failed for other reasons.'] : [];
  const told = [
    `What became of ${count(outcomes.length, 'row')}: ${counts.join(', ')}.`,
    ...reasons.slice(0, TOLD_REASONS),
    ...more,
  ];
  return hint(told.join(' '), failures.length > 0 ? 'warning' : 'info');
}

function statusOf({ status }: { readonly status?: unknown }): string {
  return typeof status === 'string' ? shortened(status.replaceAll('_', ' ')) : 'answered';
}
