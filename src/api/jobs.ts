import { invalidResponse } from '../client/errors';
import { path } from '../client/call';
import { readRetryAfter, type Headers } from '../client/retry';
import { percentDecoded } from '../client/values';
import { domainKey } from '../input/hosts';
import { InputError, sendableOf } from '../input/inputs';
import { isRow, rowAnywhere, rowWith, type Row } from '../run/answers/rows';
import type { Run } from '../run/run';

/** A refresh job as the service described it. */
export interface JobView {
  /** Every field as it came (interface: Refresh job). */
  readonly row: Row;
  /** Nothing will change any more. */
  readonly finished: boolean;
  /** How long to wait before asking again; undefined when the service did not say. */
  readonly retryAfterMs: number | undefined;
}

/** What a job says about one of its domains. */
export interface DomainState {
  readonly status: string;
  readonly error: unknown;
  /** The domain has succeeded or failed, whether or not the whole job has finished. */
  readonly finished: boolean;
}

/** A refresh job that was started. */
export interface StartedJob {
  readonly job_id: string;
  /** How long to wait before asking for it; undefined when the service did not say. */
  readonly retryAfterMs: number | undefined;
}

/**
 * `POST /v1/companies/refresh`: starts a fresh crawl of up to 100 domains. It is sent again only when
 * it surely was not processed. The interface states no charge for it.
 *
 * @param domains normalized and distinct.
 * @returns the job by its `job_id`; where only the `Location` header names it, from there.
 * @throws {UnknownOutcomeError} when a job may or may not have been started.
 */
export async function startRefresh(run: Run, domains: readonly string[]): Promise<StartedJob> {
  return await run.request({
    method: 'POST',
    path: path`/v1/companies/refresh`,
    body: { domains },
    repeatable: false,
    read: ({ json, headers }) => ({
      job_id: jobIdIn(json) ?? idAtEndOf(headers) ?? otherIdIn(json) ?? noId(),
      retryAfterMs: readRetryAfter(headers['retry-after'], Date.now()),
    }),
  });
}

/**
 * `GET /v1/jobs/{job_id}`: where a refresh job stands. Free.
 *
 * @throws {NotFoundError} `job_not_found`: unknown, or started with another key.
 */
export async function getJob(run: Run, jobId: string): Promise<JobView> {
  return await run.request({
    method: 'GET',
    path: path`/v1/jobs/${jobId}`,
    repeatable: true,
    read: ({ json, headers }) => {
      const row = jobIn(json);
      const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
      return { row, finished: isFinished(row, retryAfterMs !== undefined), retryAfterMs };
    },
  });
}

/**
 * The job id of a node's parameter.
 *
 * @throws {InputError} when there is none.
 */
export function jobIdOf(value: unknown): string {
  const id = idOf(value);
  if (id !== undefined) return sendableOf(id, 'Job ID');
  throw new InputError(
    'There is no job ID',
    'Give the job_id that Start Refresh returned, for example {{ $json.job_id }}.',
  );
}

/** Fields that a job alone has; a `status` may be that of an envelope. */
const JOB_FIELDS = ['job_id', 'summary', 'submitted_at', 'completed_at', 'domains'];

/** The job of an answer, whatever is around it. */
function jobIn(json: unknown): Row {
  const job = rowAnywhere(json, JOB_FIELDS);
  return JOB_FIELDS.some((name) => job[name] !== undefined) ? job : rowWith(json, ['status']);
}

/*
 * Words for where a job or a domain stands. The interface shows `running`, `processing`, `completed`,
 * `failed` and `succeeded`; others are understood, so that nothing is waited for in vain.
 */
const GOES_ON =
  /ing$|^(?:active|queued|enqueued|scheduled|started|created|accepted|submitted|received|new|open|in_progress|in_queue|on_hold|paused|initiali[sz]ed|partially_processed)$/;
const IS_OVER = /^(?:complete|succe|unsucce|finish|fail|error|partial|done$|ended$|closed$|ok$)/;
/** Ends that come before all domains have one. */
const IS_BROKEN_OFF =
  /^(?:cancel|expire|abort|time|terminat|stopped|killed|reject|dropped|dead|skipped|interrupted|revoked|deleted|abandoned)/;
/** When something ended. */
const DATE_OF_AN_END = /^(?:completed|finished|ended|done|failed|cancell?ed|expired|aborted)_at$/;

function wordOf(status: unknown): string {
  return typeof status === 'string'
    ? status
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_')
    : '';
}

function isOver(word: string): boolean {
  return !GOES_ON.test(word) && (IS_OVER.test(word) || IS_BROKEN_OFF.test(word));
}

/**
 * Whether a job is over (interface: States, refresh job). What is documented comes first: the words
 * `running`, `completed` and `failed`, `completed_at`, and `Retry-After`, which is sent only while a
 * job runs. Counts decide where these are missing or contradict each other, then any other sign.
 *
 * @param askedToComeBack the answer carried `Retry-After`.
 */
export function isFinished(job: Row, askedToComeBack: boolean): boolean {
  const word = wordOf(job.status);
  const dated = Object.entries(job).some(([name, at]) => DATE_OF_AN_END.test(name) && Boolean(at));
  if (GOES_ON.test(word)) {
    return !askedToComeBack && (dated || allCounted(job.summary, true) === true);
  }
  if (dated) return true;
  if (IS_BROKEN_OFF.test(word)) return !askedToComeBack;
  const counted = allCounted(job.summary, askedToComeBack);
  return counted ?? (!askedToComeBack && (isOver(word) || allOver(job)));
}

/** Whether the job lists its domains, and each of them has an end. */
function allOver(job: Row): boolean {
  const states = [...domainStates(job, false).values()];
  return states.length > 0 && states.every(({ finished }) => finished);
}

/** Whether the counts say that no domain is left; undefined where they say nothing. */
function allCounted(summary: unknown, askedToComeBack: boolean): boolean | undefined {
  const counts = isRow(summary) ? summary : {};
  const [processing, succeeded, failed, total] = [
    counts.processing,
    counts.succeeded,
    counts.failed,
    counts.total,
  ].map((count) => (typeof count === 'number' ? count : undefined));
  if (processing !== undefined && processing > 0) return false;
  const ended =
    succeeded !== undefined && failed !== undefined && total !== undefined && total > 0
      ? succeeded + failed >= total
      : undefined;
  // Nothing may be processing yet.
  return processing === undefined ? ended : ended === true || !askedToComeBack;
}

/** What a job says about each of its domains, by the form in which {@link domainKey} compares them. */
export function domainStates(job: Row, finished: boolean): Map<string, DomainState> {
  return new Map(
    domainEntries(job.domains).map(([domain, entry]) => {
      const status = typeof entry.status === 'string' ? entry.status : 'unknown';
      const error = entry.error ?? null;
      const over = finished || error !== null || isOver(wordOf(status));
      return [domainKey(domain), { status, error, finished: over }];
    }),
  );
}

/** Domains as a list of objects, or as a map: of the domains, or of the lists in each state. */
function domainEntries(domains: unknown): Array<[domain: string, entry: Row]> {
  if (Array.isArray(domains)) {
    return domains
      .filter(isRow)
      .flatMap((entry) => (typeof entry.domain === 'string' ? [[entry.domain, entry]] : []));
  }
  return Object.entries(isRow(domains) ? domains : {}).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [[name, isRow(value) ? value : { status: value }]];
    return value.flatMap((one: unknown): Array<[string, Row]> => {
      const entry = isRow(one) ? one : { domain: one };
      return typeof entry.domain === 'string' ? [[entry.domain, { status: name, ...entry }]] : [];
    });
  });
}

function idOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function jobIdIn(json: unknown): string | undefined {
  return isRow(json) ? idOf(rowAnywhere(json, ['job_id']).job_id) : undefined;
}

/** `{ job: 17 }`, `{ data: { id: 17 } }`, `17`. */
function otherIdIn(json: unknown): string | undefined {
  if (!isRow(json)) return idOf(json);
  const { id, jobId, job } = rowAnywhere(json, ['jobId', 'id']);
  return idOf(jobId) ?? idOf(id) ?? idOf(job);
}

/** The job's own address names it. */
function idAtEndOf(headers: Headers): string | undefined {
  const [, id] = /(?:^|\/)jobs\/([^/?#]+)/.exec(headers.location ?? '') ?? [];
  return id === undefined ? undefined : percentDecoded(id);
}

function noId(): never {
  throw invalidResponse('The answer names no job');
}
