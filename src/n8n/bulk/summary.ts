import type { NodeExecutionHint } from 'n8n-workflow';

import type { BatchReport } from '../../run/batches';
import { hundredths, type Figures } from '../../run/figures';
import { count, numberText, shareText, spentText } from '../figures';
import { hint } from '../hint';
import { distinctDomains, type DomainRow } from './domain-rows';
import type { Group } from './groups';

/** The part of a run's report that is told. */
export type Summarized = Pick<BatchReport, 'answers' | 'oddities'> & {
  /** How many distinct ones were asked for. */
  readonly domains: number;
};

/** What came of all groups of a run. */
export function reportOf(groups: ReadonlyArray<Group<unknown>>): Summarized {
  const oddities = groups.flatMap(({ report }) => report.oddities);
  return {
    domains: new Set(groups.flatMap(({ domains }) => [...domains.keys()])).size,
    answers: groups.reduce((sum, { report }) => sum + report.answers, 0),
    oddities: [...new Map(oddities.map((odd) => [odd.field, odd])).values()],
  };
}

/** A row, as far as it counts here. */
type Counted = Pick<DomainRow, 'kind'>;

/**
 * What the user should know about a run, shown above the node's output.
 *
 * @param spent what it has come to, where it may cost credits.
 */
export function summarize(
  rows: readonly Counted[],
  report: Summarized,
  spent?: Figures,
): NodeExecutionHint[] {
  const invalid = countInvalid(rows);
  const sentences = [
    `${count(rows.length, 'row')}, ${count(report.domains, 'distinct domain')}, answered in ${requests(report.answers)}.`,
  ];
  if (invalid > 0) {
    sentences.push(`${count(invalid, 'row')} without a usable domain cost nothing.`);
  }
  if (spent !== undefined) {
    if (spent.asked > 0) sentences.push(`Found: ${shareText(spent.found, spent.asked)}.`);
    sentences.push(spentText(spent));
  }
  const hints = [hint(sentences.join(' ')), ...warnOfNoDomain(rows)];
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

/**
 * Of a sample, what the whole would come to at the same rates; nothing when all was asked for.
 *
 * @param onlyFirst how many companies were to be asked for; 0 for all.
 */
export function projected(
  rows: readonly DomainRow[],
  onlyFirst: number,
  { asked, found, creditsAtMost }: Figures,
): NodeExecutionHint[] {
  if (onlyFirst === 0 || asked === 0) return [];
  const whole = distinctDomains(rows).length;
  if (onlyFirst >= whole) return [];
  const scaled = (part: number) => Math.round((part * whole) / asked);
  const told = `This was a sample of ${shareText(asked, whole, 'companies')}. At the same rate, about ${numberText(scaled(found))} of all would be found, for about ${count(scaled(creditsAtMost), 'credit')}; what the sample has read is free then.`;
  return [hint(told)];
}

/**
 * A warning when not one row holds a domain. That is no error, as lists may be junk, but far more
 * often the Domain parameter names the wrong field or is fixed text instead of an expression.
 */
export function warnOfNoDomain(rows: readonly Counted[]): NodeExecutionHint[] {
  if (rows.length === 0 || countInvalid(rows) < rows.length) return [];
  return [
    hint(
      'No row has a usable domain. Check that Domain is an expression for the field with the website, e-mail address or domain: drag that field from the input into it.',
      'warning',
    ),
  ];
}

function countInvalid(rows: readonly Counted[]): number {
  return rows.filter((row) => row.kind === 'invalid').length;
}

/** A request that other executions shared counts with this one's part of it. */
function requests(answers: number): string {
  if (Number.isInteger(answers)) return count(answers, 'request');
  return `${count(hundredths(answers), 'request')} (other executions shared one)`;
}
