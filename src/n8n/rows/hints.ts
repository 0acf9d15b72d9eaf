import type { NodeExecutionHint } from 'n8n-workflow';

import { firstOf, shortened } from '../../input/quote';
import type { Oddity } from '../../run/answers/batch-answer';
import { hundredths, type Figures } from '../../run/figures';
import { count, hint, mostFrequent, numberText, shareText, spentText } from '../figures';
import type { DomainCounts, DomainRows, Unusable } from './domain-rows';
import type { NameCounts } from './by-name';
import type { Outcome } from './rows';

/** Figures of a run's lookups, for its hints. */
export interface Answered {
  /** Number of distinct domains that were looked up. */
  readonly domains: number;
  readonly answers: number;
  readonly oddities: readonly Oddity[];
  /** Results of names that were looked up. */
  readonly names?: NameCounts | undefined;
}

/**
 * Returns the hints about a run, which n8n shows above the node's output.
 *
 * @param spent Figures of the run, if it can cost credits.
 */
export function summarize(
  { counts, invalid }: Pick<DomainRows<unknown>, 'counts' | 'invalid'>,
  report: Answered,
  spent?: Figures,
): NodeExecutionHint[] {
  const sentences = [
    `${count(counts.rows, 'row')}: ${count(report.domains, 'distinct domain')}, looked up in ${requests(report.answers)}.`,
  ];
  if (invalid.length > 0) {
    sentences.push(`No usable domain in ${count(invalid.length, 'row')}, which cost nothing.`);
  }
  if (report.names !== undefined) sentences.push(namesText(report.names));
  if (spent !== undefined) {
    if (spent.asked > 0)
      sentences.push(`Found ${shareText(spent.found, spent.asked, 'companies')}.`);
    sentences.push(spentText(spent));
  }
  const hints = [hint(sentences.join(' ')), ...warnOfNoDomain(counts, invalid)];
  if (report.oddities.length > 0) {
    const fields = report.oddities.slice(0, 5).map(({ field, problem }) => `${field} (${problem})`);
    hints.push(
      hint(
        `The service sent fields of an unexpected type, which were kept unchanged: ${fields.join(', ')}.`,
        'warning',
      ),
    );
  }
  return hints;
}

/** Describes the results of name lookups in one or two sentences. */
function namesText({ matched, ambiguous, unknown, unread, credits }: NameCounts): string {
  const text = `Names: ${numberText(matched)} matched, ${numberText(ambiguous)} ambiguous, ${numberText(unknown)} unknown, for up to ${count(credits, 'credit')}.`;
  if (unread === 0) return text;
  return `${text} More companies match ${count(unread, 'unknown name')} than were read. To read more, raise Candidates per Name.`;
}

/**
 * Projects the result of a sample to all rows; returns nothing if there was no sample.
 *
 * @param onlyFirst Number of companies in the sample; 0 means all.
 */
export function projected(
  { distinct_companies: whole }: DomainCounts,
  onlyFirst: number,
  { asked, found, creditsAtMost }: Figures,
): NodeExecutionHint[] {
  if (onlyFirst === 0 || asked === 0 || onlyFirst >= whole) return [];
  const scaled = (part: number) => Math.round((part * whole) / asked);
  const told = `Sample of ${shareText(asked, whole, 'companies')}. At this rate, the full run would find about ${numberText(scaled(found))} companies for about ${count(scaled(creditsAtMost), 'credit')}, and the sampled ones are already paid for.`;
  return [hint(told)];
}

const NO_ROW =
  'No row has a usable domain. Drag the input fields with the website and the email address into Domain.';

/**
 * Warns if no row holds a domain, or if many rows fail for one reason. This is not an error, because a
 * list can be junk, but usually the Domain parameter names the wrong field, or too few of them.
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

/** What rows hold instead of a domain, and which column can help. */
const HELD: Partial<Record<Unusable['reason'], readonly [what: string, column: string]>> = {
  empty: ['nothing', 'website or email'],
  free_mail: ['free-mail addresses', 'website'],
  hosted_site: ['pages hosted by a provider', 'website or email'],
  no_dot: ['no domain', 'website or email'],
  not_a_domain: ['names instead of domains', 'website or email'],
  placeholder: ['placeholders such as N/A', 'website or email'],
  profile_page: ['profile pages', 'website or email'],
  short_link: ['short links', 'website or email'],
  store_page: ['store pages', 'website or email'],
};
/** Thresholds for a warning: number of rows, and their share of all rows. */
const MANY = { rows: 3, share: 0.1 };
const NAMED_HOSTS = 3;

/** Returns a warning for each frequent reason: `38 rows hold profile pages (linkedin.com). Drag …`. */
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
    return `${count(times, 'row')} hold ${what}${which}. Drag the ${column} column into Domain too.`;
  });
}

/** Formats the number of requests; of a request shared with other executions, a fraction counts. */
function requests(answers: number): string {
  if (Number.isInteger(answers)) return count(answers, 'request');
  return `${count(hundredths(answers), 'request')} (other executions shared one)`;
}

/** Maximum number of failure reasons in a hint, to keep it short. */
const TOLD_REASONS = 3;

/**
 * Counts the rows of a run by status, and says why some failed: `Result for 240 rows: 195 tracked, 40 not
 * tracked, 5 failed. Not enough credits (5 rows).`
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
    `Result for ${count(outcomes.length, 'row')}: ${counts.join(', ')}.`,
    ...reasons.slice(0, TOLD_REASONS),
    ...more,
  ];
  return hint(told.join(' '), failures.length > 0 ? 'warning' : 'info');
}

function statusOf({ status }: { readonly status?: unknown }): string {
  return typeof status === 'string' ? shortened(status.replaceAll('_', ' ')) : 'answered';
}
