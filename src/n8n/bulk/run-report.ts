import type { IDataObject } from 'n8n-workflow';

import { isRow } from '../../run/answers/rows';
import type { Figures } from '../../run/figures';
import { failureJson } from '../failures';
import { count, numberText, shareText, tally } from '../figures';
import { countsOf, type DomainRow } from './domain-rows';
import type { RowResult } from './items';

/** Statuses that the service has not given. */
const NOT_ASKED = new Set(['invalid', 'not_sampled']);

/** How deep fields of a result are looked into. */
const DEPTH = 3;

/**
 * What came of a run, as one item for a message or a sheet.
 *
 * @param results one for each row.
 * @param found whether a result of the service is that of a company it knows.
 */
export function runReport(
  rows: readonly DomainRow[],
  results: readonly RowResult[],
  figures: Figures,
  found: (result: IDataObject) => boolean,
): IDataObject {
  const statuses = tally(results.map(statusOf));
  const reasons = tally(results.map(reasonOf).filter((reason) => reason !== undefined));
  const companies = new Map(
    results.flatMap((one) =>
      one.kind === 'result' && !NOT_ASKED.has(statusOf(one)) && found(one.result)
        ? [[one.result.domain, one.result] as const]
        : [],
    ),
  );
  const listed = [...statuses].map(([status, times]) => `${numberText(times)} ${status}`);
  return {
    text: `${count(rows.length, 'row')}: ${listed.join(', ')}. Found: ${shareText(figures.found, figures.asked)}. ${count(figures.requests, 'request')}, at most ${count(figures.creditsAtMost, 'credit')}.`,
    ...countsOf(rows),
    statuses: Object.fromEntries(statuses),
    reasons: Object.fromEntries(reasons),
    companies_asked: figures.asked,
    companies_found: figures.found,
    coverage: coverageOf([...companies.values()]),
    requests: figures.requests,
    credits_at_most: figures.creditsAtMost,
    read_before: figures.readBefore,
    requests_without_answer: figures.unanswered,
  };
}

function statusOf(one: RowResult): string {
  const { status } = one.kind === 'result' ? one.result : { status: 'error' };
  return typeof status === 'string' ? status : 'unknown';
}

function reasonOf(one: RowResult): string | undefined {
  if (one.kind === 'failure') return failureJson(one.failure).error;
  return typeof one.result.reason === 'string' ? one.result.reason : undefined;
}

/** Of how many companies each field has something in it, as a share from 0 to 1. */
function coverageOf(companies: readonly IDataObject[]): Record<string, number> {
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
