import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../run/responses/rows';
import type { RunStats } from '../../run/run-stats';
import { toFailureJson } from '../failures';
import { formatCount, mostFrequent, formatNumber, formatShare } from '../format';
import type { DomainCounts } from './domain-rows';
import type { Outcome } from './rows';

/**
 * Summarizes a run as one item for a message or a sheet.
 *
 * @param outcomes One outcome per row.
 * @param companies Flat rows of the companies that the service tracks, each once.
 */
export function toRunReport(
  counts: DomainCounts,
  outcomes: readonly Outcome[],
  figures: RunStats,
  companies: readonly Row[],
): IDataObject {
  const statuses = mostFrequent(outcomes.map(getRowStatus));
  const reasons = mostFrequent(outcomes.flatMap((one) => getReason(one) ?? []));
  const listed = statuses.map(
    ([status, times]) => `${formatNumber(times)} ${status.replaceAll('_', ' ')}`,
  );
  return {
    text: `${formatCount(counts.rows, 'row')}: ${listed.join(', ')}. Found ${formatShare(figures.found, figures.asked, 'companies')}. Cost: ${formatCount(figures.requests, 'request')}, up to ${formatCount(figures.creditsAtMost, 'credit')}.`,
    ...counts,
    statuses: Object.fromEntries(statuses),
    reasons: Object.fromEntries(reasons),
    companies_asked: figures.asked,
    companies_found: figures.found,
    coverage: measureCoverage(companies),
    requests: figures.requests,
    credits_at_most: figures.creditsAtMost,
    read_before: figures.readBefore,
    requests_without_answer: figures.unanswered,
  };
}

function getRowStatus({ outputs, failure }: Outcome): string {
  const status = failure === undefined ? outputs[0]?.json.status : 'error';
  return typeof status === 'string' ? status : 'unknown';
}

function getReason({ outputs, failure }: Outcome): string | undefined {
  if (failure !== undefined) return toFailureJson(failure).error;
  const reason = outputs[0]?.json.reason;
  return typeof reason === 'string' ? reason : undefined;
}

/** Returns for each column the share of companies with a value in it, from 0 to 1. */
function measureCoverage(companies: readonly Row[]): Record<string, number> {
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
