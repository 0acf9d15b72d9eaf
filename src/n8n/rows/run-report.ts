import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../run/answers/rows';
import type { Figures } from '../../run/figures';
import { failureJson } from '../failures';
import { count, mostFrequent, numberText, shareText } from '../figures';
import type { DomainCounts } from './domain-rows';
import type { Outcome } from './rows';

/**
 * Summarizes a run as one item for a message or a sheet.
 *
 * @param outcomes One outcome per row.
 * @param companies Flat rows of the companies that the service tracks, each once.
 */
export function runReport(
  counts: DomainCounts,
  outcomes: readonly Outcome[],
  figures: Figures,
  companies: readonly Row[],
): IDataObject {
  const statuses = mostFrequent(outcomes.map(statusOf));
  const reasons = mostFrequent(outcomes.flatMap((one) => reasonOf(one) ?? []));
  const listed = statuses.map(
    ([status, times]) => `${numberText(times)} ${status.replaceAll('_', ' ')}`,
  );
  return {
    text: `${count(counts.rows, 'row')}: ${listed.join(', ')}. Found ${shareText(figures.found, figures.asked, 'companies')}. Cost: ${count(figures.requests, 'request')}, up to ${count(figures.creditsAtMost, 'credit')}.`,
    ...counts,
    statuses: Object.fromEntries(statuses),
    reasons: Object.fromEntries(reasons),
    companies_asked: figures.asked,
    companies_found: figures.found,
    coverage: coverageOf(companies),
    requests: figures.requests,
    credits_at_most: figures.creditsAtMost,
    read_before: figures.readBefore,
    requests_without_answer: figures.unanswered,
  };
}

function statusOf({ outputs, failure }: Outcome): string {
  const status = failure === undefined ? outputs[0]?.json.status : 'error';
  return typeof status === 'string' ? status : 'unknown';
}

function reasonOf({ outputs, failure }: Outcome): string | undefined {
  if (failure !== undefined) return failureJson(failure).error;
  const reason = outputs[0]?.json.reason;
  return typeof reason === 'string' ? reason : undefined;
}

/** Returns for each column the share of companies with a value in it, from 0 to 1. */
function coverageOf(companies: readonly Row[]): Record<string, number> {
  const filled = new Map<string, number>();
  for (const company of companies) {
    for (const [column, value] of Object.entries(company)) {
      filled.set(column, (filled.get(column) ?? 0) + (value === '' ? 0 : 1));
    }
  }
  const shares = [...filled].map(
    ([column, times]) => [column, Math.round((100 * times) / companies.length) / 100] as const,
  );
  return Object.fromEntries(shares);
}
