import type { NodeExecutionHint } from 'n8n-workflow';

import { firstOf, shortened } from '../../input/quote';
import type { Oddity } from '../../run/answers/batch-answer';
import { hundredths, type Figures } from '../../run/figures';
import { count, hint, mostFrequent, numberText, shareText, spentText } from '../figures';
import type { DomainCounts, DomainRows, Unusable } from './domain-rows';
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

const NO_ROW =
  'No row has a usable domain. Check that Domain is an expression: drag the fields with the website and the email address from the input into it.';

/**
 * A warning when not one row holds a domain, or many fall to one reason. That is no error, as lists may
 * be junk, but far more often the Domain parameter names the wrong field, or too few of them.
 */
export function warnOfNoDomain(
  { rows }: DomainCounts,
  invalid: readonly Unusable[],
): NodeExecutionHint[] {
  const unusable = invalid.filter(({ reason }) => reason !== 'ignored');
  const told = manyOfOneReason(rows, unusable);
  if (rows > 0 && unusable.length === rows) told.unshift(NO_ROW);
  return told.length === 0 ? [] : [hint(told.join(' '), 'warning')];
}

/** What rows hold instead of a domain, and which column may say more. */
const HELD: Partial<Record<Unusable['reason'], readonly [what: string, column: string]>> = {
  empty: ['nothing', 'website or email'],
  free_mail: ['free-mail addresses', 'website'],
  hosted_site: ['pages rented from a provider', 'website or email'],
  no_dot: ['no domain', 'website or email'],
  not_a_domain: ['names instead of domains', 'website or email'],
  placeholder: ['placeholders such as N/A', 'website or email'],
  profile_page: ['profile pages', 'website or email'],
  short_link: ['short links', 'website or email'],
  store_page: ['store pages', 'website or email'],
};
/** What is many: rows, and their share of all. */
const MANY = { rows: 3, share: 0.1 };
const NAMED_HOSTS = 3;

/** Which reasons many rows fall to: `38 rows hold profile pages (linkedin.com): drag …`. */
function manyOfOneReason(rows: number, unusable: readonly Unusable[]): string[] {
  const reasons = [...new Set(unusable.map(({ reason }) => reason))];
  return reasons.flatMap((reason) => {
    const held = HELD[reason];
    const alike = unusable.filter((one) => one.reason === reason);
    const times = alike.length;
    if (held === undefined || times < MANY.rows || times < rows * MANY.share) return [];
    const hosts = alike.flatMap(({ about }) => about ?? []);
    const named = mostFrequent(hosts).map(([host]) => host);
    const which = named.length === 0 ? '' : ` (${firstOf(named, NAMED_HOSTS)})`;
    const [what, column] = held;
    return `${count(times, 'row')} hold ${what}${which}: drag the ${column} column into Domain as well.`;
  });
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
