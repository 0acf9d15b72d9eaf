import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { CreditExhaustedError } from '../client/errors';
import type { Figures } from '../run/figures';
import { addUp } from './n8n-versions';
import type { Declared } from './parameters/declare';

/** A sentence for above a node's output. */
export function hint(
  message: string,
  type: NonNullable<NodeExecutionHint['type']> = 'info',
): NodeExecutionHint {
  return { type, location: 'outputPane', message };
}

/** `1,234 rows`; one is `1 row`. */
export function count(number: number, noun: string): string {
  return `${numberText(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `1,234` */
export function numberText(number: number): string {
  return number.toLocaleString('en-US');
}

/** `195 of 240 rows (81 %)`; a part of nothing has no share. */
export function shareText(part: number, whole: number, nouns = ''): string {
  const share = whole === 0 ? '' : ` (${String(Math.round((100 * part) / whole))} %)`;
  return `${numberText(part)} of ${numberText(whole)}${nouns === '' ? '' : ` ${nouns}`}${share}`;
}

/** How often each word occurs, in the order in which they first do. */
export function tally(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** How often each word occurs, the most frequent first. */
export function mostFrequent(words: readonly string[]): Array<[word: string, times: number]> {
  return [...tally(words)].sort(([, a], [, b]) => b - a);
}

/** What a run has spent, as a sentence that goes on from others. */
export function spentText({ creditsAtMost, readBefore, unanswered }: Figures): string {
  const known =
    readBefore === 0
      ? ''
      : `, less what this n8n read in the last 30 days and is not charged again (${numberText(readBefore)})`;
  const sentences = [`Cost at most: ${count(creditsAtMost, 'credit')}${known}.`];
  if (unanswered > 0) {
    sentences.push(
      `${count(unanswered, 'request')} got no answer and may have been charged all the same; sending them again costs nothing twice.`,
    );
  }
  return sentences.join(' ');
}

/**
 * What a run has come to, for above the node's output.
 *
 * @param isLimited whether the user can ask for all rows instead.
 */
export function figuresHint(figures: Figures, isLimited: boolean): NodeExecutionHint {
  const { rows, left, requests, asked, found } = figures;
  const sentences: string[] = [];
  if (rows > 0 || left > 0) {
    const all =
      left === 0 || !isLimited ? count(rows, 'row') : shareText(rows, rows + left, 'rows');
    sentences.push(`${all}, ${count(requests, 'request')}.`);
  } else sentences.push(`${count(requests, 'request')}.`);
  if (asked > 0) sentences.push(`Found: ${shareText(found, asked)}.`);
  sentences.push(spentText(figures));
  if (left > 0 && isLimited) {
    sentences.push(`Return All would cost at most ${count(rows + left, 'credit')}.`);
  }
  return hint(sentences.join(' '));
}

/**
 * Adds a run's figures to those that n8n keeps of the execution, where its list of executions can be
 * searched for them; several nodes add up.
 *
 * @param rows that came out.
 */
export function recordFigures(context: IExecuteFunctions, figures: Figures, rows: number): void {
  addUp(context, {
    company_intelligence_rows: rows,
    company_intelligence_requests: figures.requests,
    company_intelligence_credits_at_most: figures.creditsAtMost,
    company_intelligence_companies_found: figures.found,
  });
}

/**
 * Adds to a refusal for lack of credits how this operation asks for less, with what it offers for that;
 * any other failure stays what it is.
 */
export function advised(failure: Error, parameters: Declared): Error {
  if ('wanted' in parameters) return withAdvice(failure, 'Ask for fewer rows with Limit.');
  if ('maxNodes' in parameters) {
    return withAdvice(failure, 'Ask for a smaller network with Max Nodes.');
  }
  return failure;
}

/** The same for a row of Bulk Enrich. */
export function advisedInBulk(
  failure: Error,
  { spendRemainingCredits }: { readonly spendRemainingCredits: boolean },
): Error {
  const advice = spendRemainingCredits
    ? 'Send fewer rows, or set Only First Companies.'
    : 'Send fewer rows, set Only First Companies, or use up what is left with Spend Remaining Credits.';
  return withAdvice(failure, advice);
}

function withAdvice(failure: Error, advice: string): Error {
  if (!(failure instanceof CreditExhaustedError)) return failure;
  return failure.retold({ hint: `${failure.hint} ${advice}` });
}
