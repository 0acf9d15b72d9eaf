import type { NodeExecutionHint } from 'n8n-workflow';

import { joinFirst, shortenMessage, formatCount, formatNumber } from '../../values/text';
import { roundRequests, type RunStats } from '../../run/run-stats';
import { createHint, mostFrequent, formatCost, formatTracked } from '../format';
import type { DomainRows, UnusableRow } from './read-domains';
import type { NameCounts } from './by-name';
import type { Outcome } from './read';

/** Figures of a run's lookups, for its hints. */
export interface ResponseFacts {
  /** Number of distinct domains that were looked up. */
  readonly domains: number;
  /** Number of requests with a response. */
  readonly requests: number;
  /** Results of names that were looked up. */
  readonly names?: NameCounts | undefined;
}

/** What hints tell about the domains of the input items. */
interface DomainFacts extends Pick<
  DomainRows<unknown>,
  'counts' | 'invalid' | 'hasSeveralFields' | 'isExpressionText'
> {
  /** Whether Company Name is set; undefined if the operation does not have it. */
  readonly usesNames?: boolean;
}

/**
 * Returns the hints about a run, which n8n shows above the node's output.
 *
 * @param spent Figures of the run, if it can cost credits.
 */
export function summarize(
  rows: DomainFacts,
  report: ResponseFacts,
  spent?: RunStats,
): NodeExecutionHint[] {
  const { counts, invalid } = rows;
  const cause = findCauseOfAll(rows);
  if (cause !== undefined) return [createHint(cause, 'warning')];
  const unusable = invalid.filter(isUnusable).length;
  const sentences = [
    `${formatCount(counts.rows, 'row')}: ${formatCount(report.domains, 'distinct domain')} in ${formatRequests(report.requests)}.`,
  ];
  if (unusable < invalid.length) {
    sentences.push(`Ignored ${formatCount(invalid.length - unusable, 'row')} (Ignore Domains).`);
  }
  if (unusable > 0) {
    sentences.push(`No usable domain in ${formatCount(unusable, 'row')}, which cost nothing.`);
  }
  if (report.names !== undefined) sentences.push(formatNames(report.names));
  if (spent !== undefined) sentences.push(...formatTracked(spent), formatCost(spent));
  return [createHint(sentences.join(' ')), ...warnAboutDomains(rows)];
}

/** Describes the results of name lookups in one or two sentences. */
function formatNames({ matched, ambiguous, unmatched, unread, credits }: NameCounts): string {
  const cost = credits === 0 ? '' : `, for up to ${formatCount(credits, 'credit')}`;
  const text = `Names: ${formatNumber(matched)} matched, ${formatNumber(ambiguous)} ambiguous, ${formatNumber(unmatched)} without a match${cost}.`;
  if (unread === 0) return text;
  return `${text} For ${formatCount(unread, 'name')} without a match, the search found more companies than were read. To read more, raise Candidates per Name.`;
}

const NO_USABLE_DOMAIN = 'No row has a usable domain.';
const DRAG_FIELDS = 'Drag the input fields with the website and the email address into Domain.';
const DRAG_NAMES =
  'If Domain holds a column of names, add the website or email column, or drag it into Company Name.';

/** Rows that the user excluded need no advice. */
function isUnusable({ reason }: UnusableRow): boolean {
  return reason !== 'ignored';
}

/** Returns what to do if Domain itself is why no row has a domain. */
function findCauseOfAll(facts: DomainFacts): string | undefined {
  const { counts, invalid, isExpressionText } = facts;
  if (invalid.length === 0 || invalid.length < counts.rows) return undefined;
  if (isExpressionText) return 'Domain is the text of an expression: turn on Expression.';
  return invalid.every(({ reason }) => reason === 'empty')
    ? 'Domain is empty in every row: check the name of its field in the expression.'
    : undefined;
}

/**
 * Warns if no row holds a domain, or if many rows fail for one reason. This is not an error, because a
 * list can be junk, but usually the Domain parameter names the wrong field, or too few of them.
 */
export function warnAboutDomains(facts: DomainFacts): NodeExecutionHint[] {
  const { counts, invalid, hasSeveralFields, usesNames } = facts;
  const cause = findCauseOfAll(facts);
  if (cause !== undefined) return [createHint(cause, 'warning')];
  const unusable = invalid.filter(isUnusable);
  const sentences = listCommonReasons(unusable, facts);
  if (counts.rows > 0 && unusable.length === counts.rows) {
    if (sentences.length === 0 && !hasSeveralFields) {
      const canBeNames = usesNames === false && unusable.every(({ reason }) => reason === 'no_dot');
      sentences.push(canBeNames ? DRAG_NAMES : DRAG_FIELDS);
    }
    sentences.unshift(NO_USABLE_DOMAIN);
  }
  return sentences.length === 0 ? [] : [createHint(sentences.join(' '), 'warning')];
}

/** What rows hold instead of a domain, and which column can help. */
const REASON_TEXTS: Partial<
  Record<UnusableRow['reason'], readonly [what: string, column: string]>
> = {
  empty: ['nothing', 'website or email'],
  free_mail: ['free email addresses', 'website'],
  hosted_site: ['pages hosted by a provider', 'website or email'],
  no_dot: ['no domain', 'website or email'],
  placeholder: ['placeholders such as N/A', 'website or email'],
  profile_page: ['profile pages', 'website or email'],
  short_link: ['short links', 'website or email'],
  store_page: ['store pages', 'website or email'],
};
/** Thresholds for a warning: number of rows, and their share of all rows. */
const MANY_ROWS = { rows: 3, share: 0.1 };
const MAX_NAMED_HOSTS = 3;

/** Returns a warning for each frequent reason: `38 rows hold profile pages (linkedin.com). Drag …`. */
function listCommonReasons(
  unusable: readonly UnusableRow[],
  { counts: { rows }, hasSeveralFields, usesNames }: DomainFacts,
): string[] {
  const reasons = [...new Set(unusable.map(({ reason }) => reason))];
  return reasons.flatMap((reason) => {
    const held = REASON_TEXTS[reason];
    const alike = unusable.filter((one) => one.reason === reason);
    const times = alike.length;
    if (held === undefined || times < MANY_ROWS.rows || times < rows * MANY_ROWS.share) return [];
    const hosts = alike.flatMap(({ about }) => about ?? []);
    const named = mostFrequent(hosts).map(([host]) => host);
    const which = named.length === 0 ? '' : ` (${joinFirst(named, MAX_NAMED_HOSTS)})`;
    const [what, column] = held;
    const advice =
      reason === 'no_dot' && usesNames === false
        ? DRAG_NAMES
        : `Drag the ${column} column into Domain too.`;
    const sentence = `${formatCount(times, 'row')} hold ${what}${which}.`;
    return hasSeveralFields ? sentence : `${sentence} ${advice}`;
  });
}

/** Formats the number of requests; of a request shared with other executions, a fraction counts. */
function formatRequests(requests: number): string {
  if (Number.isInteger(requests)) return formatCount(requests, 'request');
  return `${formatCount(roundRequests(requests), 'request')} (other executions shared one)`;
}

/** Maximum number of failure reasons in a hint, to keep it short. */
const MAX_REASONS = 3;

/**
 * Counts the rows of a run by status, and says why some failed: `Result for 240 rows: 195 tracked, 40 not
 * tracked, 5 failed. Not enough credits (5 rows).`
 */
export function formatOutcomes(outcomes: readonly Outcome[]): NodeExecutionHint {
  const failures = outcomes.flatMap(({ failure }) => failure?.message ?? []);
  const statuses = outcomes.flatMap(({ outputs }) => outputs.map(({ json }) => getStatus(json)));
  const counts = mostFrequent(statuses).map(([status, rows]) => `${formatNumber(rows)} ${status}`);
  if (failures.length > 0) counts.push(`${formatNumber(failures.length)} failed`);
  const reasons = mostFrequent(failures).map(
    ([why, rows]) => `${shortenMessage(why)} (${formatCount(rows, 'row')}).`,
  );
  const more = reasons.length > MAX_REASONS ? ['Other rows failed for other reasons.'] : [];
  const sentences = [
    `Result for ${formatCount(outcomes.length, 'row')}: ${counts.join(', ')}.`,
    ...reasons.slice(0, MAX_REASONS),
    ...more,
  ];
  return createHint(sentences.join(' '), failures.length > 0 ? 'warning' : 'info');
}

function getStatus({ status }: { readonly status?: unknown }): string {
  return typeof status === 'string' ? shortenMessage(status.replaceAll('_', ' ')) : 'completed';
}
