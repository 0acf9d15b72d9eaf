import type { IDataObject } from 'n8n-workflow';

import { isRow, type Row } from '../../run/answers/rows';
import type { Figures } from '../../run/figures';
import { failureJson } from '../failures';
import { count, numberText, shareText, tally } from '../figures';
import type { DomainCounts } from './domain-rows';
import type { Outcome } from './rows';

/** How deep fields of a result are looked into. */
const DEPTH = 3;

/**
 * What came of a run, as one item for a message or a sheet.
 *
 * @param outcomes one for each row.
 * @param companies what the service says of those it knows, each once.
 */
export function runReport(
  counts: DomainCounts,
  outcomes: readonly Outcome[],
  figures: Figures,
  companies: readonly Row[],
): IDataObject {
  const statuses = tally(outcomes.map(statusOf));
  const reasons = tally(outcomes.flatMap((one) => reasonOf(one) ?? []));
  const listed = [...statuses].map(([status, times]) => `${numberText(times)} ${status}`);
  return {
    text: `${count(counts.rows, 'row')}: ${listed.join(', ')}. Found: ${shareText(figures.found, figures.asked)}. ${count(figures.requests, 'request')}, at most ${count(figures.creditsAtMost, 'credit')}.`,
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

/** Of how many companies each field has something in it, as a share from 0 to 1. */
function coverageOf(companies: readonly Row[]): Record<string, number> {
  const filled = new Map<string, number>();
  for (const company of companies) {
    for (const [field, has] of fieldsOf(company, '', DEPTH)) {
      filled.set(field, (filled.get(field) ?? 0) + (has ? 1 : 0));
    }
  }
  const shares = [...filled].map(
    ([field, companies_]) =>
      [field, Math.round((100 * companies_) / companies.length) / 100] as const,
  );
  return Object.fromEntries(shares);
}

function* fieldsOf(
  row: Readonly<Record<string, unknown>>,
  before: string,
  depth: number,
): Iterable<readonly [field: string, has: boolean]> {
  for (const [name, value] of Object.entries(row)) {
    if (isRow(value) && depth > 1) yield* fieldsOf(value, `${before}${name}.`, depth - 1);
    else {
      const isEmpty = Array.isArray(value) ? value.length === 0 : value === '';
      yield [`${before}${name}`, !isEmpty && value !== null && value !== undefined];
    }
  }
}
