import type { NodeExecutionHint } from 'n8n-workflow';

import type { InvalidReason } from '../input/domains';
import type { TypeMismatches } from '../run/responses/response-checks';
import type { CreditBudget, RunCost } from '../run/run-guards';
import { roundRequests, type RunStats } from '../run/run-stats';
import { formatCount, formatNumber, formatShare, joinFirst, shortenMessage } from '../values/text';

/* What users and models read about a run: n8n shows hints above the node's output. */

export function createHint(
  message: string,
  type: NonNullable<NodeExecutionHint['type']> = 'info',
): NodeExecutionHint {
  return { type, location: 'outputPane', message };
}

export function countOccurrences(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function mostFrequent(words: readonly string[]): Array<[word: string, times: number]> {
  return [...countOccurrences(words)].sort(([, a], [, b]) => b - a);
}

export function formatMismatches({ count, field, problem }: TypeMismatches): string {
  return `The service returned ${formatCount(count, 'value')} of an unexpected type, the first one in ${field} (${problem}). Rows have them as received.`;
}

/** `up to 3 credits`: only the service knows which companies were free. */
export function formatCredits({ creditsAtMost, isLowerBound }: RunCost): string {
  return `${isLowerBound ? 'at least' : 'up to'} ${formatCount(creditsAtMost, 'credit')}`;
}

export function formatCost(spent: RunCost): string {
  const { creditsAtMost, unconfirmed } = spent;
  if (creditsAtMost === 0) return 'Free.';
  const cost = `Cost: ${formatCredits(spent)}; companies that your organization read in the last 30 days are free.`;
  if (unconfirmed === 0) return cost;
  return `${cost} ${formatCount(unconfirmed, 'request')} got no response and may have been charged. Running again doesn't charge twice.`;
}

export function warnAboutExcess({ limit, cost }: CreditBudget): NodeExecutionHint[] {
  if (limit === undefined || cost.creditsAtMost <= limit) return [];
  const message = `Max Credits (${formatNumber(limit)}) was exceeded: this run cost ${formatCredits(cost)}, because only a response shows what it costs.`;
  return [createHint(message, 'warning')];
}

function formatTracked({ lookedUp, tracked }: RunStats): string[] {
  if (lookedUp === 0) return [];
  const nouns = lookedUp === 1 ? 'company is tracked' : 'companies are tracked';
  return [`${formatShare(tracked, lookedUp, nouns)}.`];
}

/**
 * Operations with Limit also say what is left; those of graphs don't say how many companies are tracked, because a
 * graph has many others.
 */
export function formatRunStats(figures: RunStats, counts?: 'rows' | 'graph'): NodeExecutionHint {
  const { rows, left, lookedUp, creditsAtMost } = figures;
  const isLimited = counts === 'rows';
  const isGraph = counts === 'graph';
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

const MAX_REASONS = 3;

/**
 * Counts the rows by status, and says why some failed: `Result for 240 rows: 195 tracked, 40 not tracked, 5 failed.
 * Not enough credits (5 rows).`
 */
export function formatOutcomes(
  outcomes: ReadonlyArray<{
    readonly failure?: Error;
    readonly outputs: ReadonlyArray<{ readonly json: { readonly status?: unknown } }>;
  }>,
): NodeExecutionHint {
  const failures = listFailures(outcomes);
  const statuses = outcomes.flatMap(({ outputs }) => outputs.map(({ json }) => getStatus(json)));
  const counts = mostFrequent(statuses).map(([status, rows]) => `${formatNumber(rows)} ${status}`);
  if (failures.length > 0) counts.push(`${formatNumber(failures.length)} failed`);
  const sentence = `Result for ${formatCount(outcomes.length, 'row')}: ${counts.join(', ')}.`;
  const type = failures.length > 0 ? 'warning' : 'info';
  return createHint([sentence, ...listReasons(failures, 'row')].join(' '), type);
}

export function warnAboutFailures(
  outcomes: ReadonlyArray<{ readonly failure?: Error }>,
): NodeExecutionHint[] {
  const failures = listFailures(outcomes);
  if (failures.length === 0) return [];
  const sentence = `${formatShare(failures.length, outcomes.length, 'items')} failed.`;
  return [createHint([sentence, ...listReasons(failures, 'item')].join(' '), 'warning')];
}

function listFailures(outcomes: ReadonlyArray<{ readonly failure?: Error }>): string[] {
  return outcomes.flatMap(({ failure }) => failure?.message ?? []);
}

function listReasons(failures: readonly string[], noun: string): string[] {
  const reasons = mostFrequent(failures).map(
    ([why, times]) => `${shortenMessage(why)} (${formatCount(times, noun)}).`,
  );
  const more = reasons.length > MAX_REASONS ? [`Other ${noun}s failed for other reasons.`] : [];
  return [...reasons.slice(0, MAX_REASONS), ...more];
}

function getStatus({ status }: { readonly status?: unknown }): string {
  return typeof status === 'string' ? shortenMessage(status.replaceAll('_', ' ')) : 'completed';
}

export interface NameCounts {
  readonly matched: number;
  readonly ambiguous: number;
  /** Names that match no company that was read. */
  readonly unmatched: number;
  /** Unmatched names that a company that was not read could have. */
  readonly unread: number;
  /** Distinct names whose search got a response. */
  readonly searched: number;
  /** An upper bound. */
  readonly credits: number;
}

export interface ResponseFacts {
  /** Distinct ones; if the run can cost credits, those with a response. */
  readonly domains: number;
  /** With domains; of one shared with other executions, a fraction. */
  readonly requests: number;
  readonly names?: NameCounts | undefined;
}

export interface DomainFacts {
  readonly counts: { readonly rows: number };
  /** One per row without a usable domain: why, and the domain it was rejected for. */
  readonly invalid: ReadonlyArray<{
    readonly reason: InvalidReason | 'no_company';
    readonly about?: string | undefined;
  }>;
  /** Domain already has several fields, such as a website and an email address. */
  readonly hasSeveralFields: boolean;
  /** Free Email Hosts is set to Reject All, which also rejects websites. */
  readonly rejectsEmailHosts?: boolean;
  /** Domain is the text of an expression, which n8n does not evaluate as fixed text. */
  readonly isExpressionText: boolean;
  /** The fields of the items, if none has a field that Domain names. */
  readonly instead?: string | undefined;
  /** Whether Company Name is set; undefined if the operation does not have it. */
  readonly usesNames?: boolean;
  readonly unreadCountries?: number;
}

/** @param spent Figures of the run, if it can cost credits. */
export function summarize(
  facts: DomainFacts,
  report: ResponseFacts,
  spent?: RunStats,
): NodeExecutionHint[] {
  const { counts, invalid } = facts;
  if (findCauseOfAll(facts) !== undefined) return warnAboutDomains(facts);
  const sentences = [formatRequests(counts.rows, report, spent)];
  if (invalid.length > 0) {
    const isCharged = spent === undefined || spent.creditsAtMost > 0;
    const free = isCharged ? ' (free)' : '';
    sentences.push(`No usable domain in ${formatCount(invalid.length, 'row')}${free}.`);
  }
  if (report.names !== undefined && spent !== undefined) {
    sentences.push(...formatNames(report.names, roundRequests(spent.requests - report.requests)));
  }
  if (spent !== undefined) sentences.push(...formatTracked(spent), formatCost(spent));
  return [createHint(sentences.join(' ')), ...warnAboutDomains(facts)];
}

function formatRequests(
  rows: number,
  { domains, requests, names }: ResponseFacts,
  spent: RunStats | undefined,
): string {
  const sent = formatCount(roundRequests(requests), 'request');
  const shared = Number.isInteger(requests) ? '' : ' (other executions shared one)';
  const counted = formatCount(rows, 'row');
  if (requests === 0) return names === undefined ? `${counted}, nothing sent.` : `${counted}.`;
  const companies = domains === 1 ? '1 company' : `${formatNumber(domains)} companies`;
  const verb = spent === undefined ? 'sent' : 'read';
  return `${counted}, ${companies} ${verb} in ${sent}${shared}.`;
}

function formatNames(names: NameCounts, requests: number): string[] {
  const { matched, ambiguous, unmatched, unread, searched, credits } = names;
  if (requests === 0) return [];
  const cost = credits === 0 ? '' : `, for up to ${formatCount(credits, 'credit')}`;
  const sentences = [
    `${formatCount(searched, 'name')} searched in ${formatCount(requests, 'request')}: ${formatNumber(matched)} matched, ${formatNumber(ambiguous)} ambiguous, ${formatNumber(unmatched)} without a match${cost}.`,
  ];
  if (unread > 0) {
    sentences.push(
      `For ${formatCount(unread, 'name')} without a match, the search found more companies than were read. To read more, raise Candidates per Name.`,
    );
  }
  return sentences;
}

const DRAG_FIELDS = 'Drag the input fields with the website and the email address into Domain.';
const DRAG_NAMES =
  'If Domain holds a column of names, add the website or email column, or drag it into Company Name.';

/**
 * Warns if no row holds a domain, or if many rows fail for one reason. This is not an error, because a
 * list can be junk, but usually the Domain parameter names the wrong field, or too few of them.
 */
export function warnAboutDomains(facts: DomainFacts): NodeExecutionHint[] {
  const { counts, invalid, hasSeveralFields, usesNames, unreadCountries = 0 } = facts;
  const cause = findCauseOfAll(facts);
  if (cause !== undefined) return [createHint(cause, 'warning')];
  const sentences = listCommonReasons(facts);
  if (counts.rows > 0 && invalid.length === counts.rows) {
    if (sentences.length === 0 && !hasSeveralFields) {
      const canBeNames = usesNames === false && invalid.every(({ reason }) => reason === 'no_dot');
      sentences.push(canBeNames ? DRAG_NAMES : DRAG_FIELDS);
    }
    sentences.unshift('No row has a usable domain.');
  }
  if (unreadCountries > 0) {
    sentences.push(
      `Country was not understood in ${formatCount(unreadCountries, 'row')}, which cost nothing: use ISO codes or names of countries.`,
    );
  }
  return sentences.length === 0 ? [] : [createHint(sentences.join(' '), 'warning')];
}

export const EMPTY_DOMAIN =
  'Domain is empty in every row: check the name of its field in the expression';

/** What to do if Domain itself is why no row has a domain. */
function findCauseOfAll(facts: DomainFacts): string | undefined {
  const { counts, invalid, isExpressionText, instead } = facts;
  if (invalid.length === 0 || invalid.length < counts.rows) return undefined;
  if (isExpressionText) return 'Domain is the text of an expression: turn on Expression.';
  if (!invalid.every(({ reason }) => reason === 'empty')) return undefined;
  return `${EMPTY_DOMAIN}.${instead === undefined ? '' : ` ${instead}.`}`;
}

/** What rows hold instead of a domain, and which column can help. */
const REASON_TEXTS: Partial<
  Record<DomainFacts['invalid'][number]['reason'], readonly [what: string, column: string]>
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

/** One per frequent reason: `38 rows hold profile pages (linkedin.com). Drag …`. */
function listCommonReasons(facts: DomainFacts): string[] {
  const { counts, invalid, hasSeveralFields, usesNames } = facts;
  const enough = Math.max(MANY_ROWS.rows, counts.rows * MANY_ROWS.share);
  const reasons = [...new Set(invalid.map(({ reason }) => reason))];
  return reasons.flatMap((reason) => {
    const held = REASON_TEXTS[reason];
    const alike = invalid.filter((one) => one.reason === reason);
    if (held === undefined || alike.length < enough) return [];
    const named = mostFrequent(alike.flatMap(({ about }) => about ?? [])).map(([host]) => host);
    const which = named.length === 0 ? '' : ` (${joinFirst(named, MAX_NAMED_HOSTS)})`;
    const [what, column] = held;
    const sentence = `${formatCount(alike.length, 'row')} hold ${what}${which}.`;
    if (reason === 'free_mail' && facts.rejectsEmailHosts === true) {
      return `${sentence} To accept those given as websites, remove Free Email Hosts.`;
    }
    if (hasSeveralFields) return sentence;
    const advice =
      reason === 'no_dot' && usesNames === false
        ? DRAG_NAMES
        : `Drag the ${column} column into Domain too.`;
    return `${sentence} ${advice}`;
  });
}
