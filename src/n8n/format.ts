import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { CreditExhaustedError } from '../client/errors';
import type { TypeMismatch } from '../run/responses/response-checks';
import type { RunStats } from '../run/run-stats';
import { formatCount, formatShare } from '../values/text';
import { addToExecutionData } from './n8n-versions';
import type { Declared } from './parameters/declare';

export function createHint(
  message: string,
  type: NonNullable<NodeExecutionHint['type']> = 'info',
): NodeExecutionHint {
  return { type, location: 'outputPane', message };
}

/** In order of first occurrence. */
export function countOccurrences(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

export function mostFrequent(words: readonly string[]): Array<[word: string, times: number]> {
  return [...countOccurrences(words)].sort(([, a], [, b]) => b - a);
}

const MAX_NAMED_FIELDS = 5;

export function formatMismatches(mismatches: readonly TypeMismatch[]): string {
  const fields = mismatches
    .slice(0, MAX_NAMED_FIELDS)
    .map(({ field, problem, count }) => `${field} (${problem}, ${formatCount(count, 'time')})`);
  const others = mismatches.length - fields.length;
  const more = others === 0 ? '' : `, and ${formatCount(others, 'other field')}`;
  return `The service returned values of an unexpected type: ${fields.join(', ')}${more}. Simplified rows leave them out; with Simplify off, rows have them as received.`;
}

/** Only the service knows which companies were free. */
export function formatCost({
  creditsAtMost,
  unconfirmed,
}: Pick<RunStats, 'creditsAtMost' | 'unconfirmed'>): string {
  if (creditsAtMost === 0) return 'Free.';
  const credits = formatCount(creditsAtMost, 'credit');
  const sentences = [
    `Cost: up to ${credits}; companies that your organization read in the last 30 days are free.`,
  ];
  if (unconfirmed > 0) {
    sentences.push(
      `${formatCount(unconfirmed, 'request')} got no response and may have been charged. Running again doesn't charge twice.`,
    );
  }
  return sentences.join(' ');
}

/** Empty if no company was looked up. */
export function formatTracked({ lookedUp, tracked }: RunStats): string[] {
  if (lookedUp === 0) return [];
  const nouns = lookedUp === 1 ? 'company is tracked' : 'companies are tracked';
  return [`${formatShare(tracked, lookedUp, nouns)}.`];
}

/**
 * Operations with Limit also say what is left; those of graphs don't say how many companies are tracked, because a
 * graph has many others.
 */
export function formatRunStats(figures: RunStats, parameters: Declared): NodeExecutionHint {
  const { rows, left, lookedUp, creditsAtMost } = figures;
  const isLimited = 'wanted' in parameters;
  const isGraph = 'maxNodes' in parameters;
  const requests = formatCount(figures.requests, 'request');
  const sentences: string[] = [];
  if (left > 0 && isLimited) {
    sentences.push(`${formatShare(rows, rows + left, 'rows')}, ${requests}.`);
  } else if (rows > 0) {
    sentences.push(`${formatCount(rows, 'row')}, ${requests}.`);
  } else {
    const isEmpty = left > 0 || (creditsAtMost === 0 && (isGraph || lookedUp === 0));
    sentences.push(isEmpty ? `No rows, ${requests}.` : `${requests}.`);
  }
  if (!isGraph) sentences.push(...formatTracked(figures));
  sentences.push(formatCost(figures));
  if (left > 0 && isLimited) {
    sentences.push(`Return All would cost up to ${formatCount(rows + left, 'credit')}.`);
  }
  return createHint(sentences.join(' '));
}

/** Adds the figures to those of other nodes in the custom data, by which n8n's executions can be filtered. */
export function recordRunStats(context: IExecuteFunctions, figures: RunStats, rows: number): void {
  addToExecutionData(context, {
    company_intelligence_rows: rows,
    company_intelligence_requests: figures.requests,
    company_intelligence_credits_at_most: figures.creditsAtMost,
    company_intelligence_companies_found: figures.tracked,
  });
}

/** Adds to an error about missing credits how to request less; returns other errors unchanged. */
export function withCreditAdvice(failure: Error, parameters: Declared): Error {
  if ('wanted' in parameters) return withAdvice(failure, 'Read fewer rows with Limit.');
  if ('maxNodes' in parameters) {
    return withAdvice(failure, 'Request a smaller network with Max Nodes.');
  }
  return failure;
}

export function withBulkCreditAdvice(
  failure: Error,
  { spendRemainingCredits }: { readonly spendRemainingCredits: boolean },
): Error {
  const advice = spendRemainingCredits
    ? 'Send fewer rows.'
    : 'Send fewer rows, or spend the rest with Spend Remaining Credits.';
  return withAdvice(failure, advice);
}

function withAdvice(failure: Error, advice: string): Error {
  if (!(failure instanceof CreditExhaustedError)) return failure;
  return failure.copyWith({ hint: `${failure.hint} ${advice}` });
}
