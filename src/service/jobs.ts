import { invalidResponse } from '../client/errors';
import { readRetryAfter, type Headers } from '../client/retry';
import { percentDecoded } from '../client/values';
import { domainKey } from '../input/hosts';
import { InputError, sendableOf } from '../input/inputs';
import { countOf, findRow, isRow, rowWith, type Row } from '../run/answers/rows';
import type { Run } from '../run/run';
import { requestOf } from './endpoint';
import { api } from './endpoints';

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
    ...requestOf(api.refresh, {}),
    body: { domains },
    repeatable: false,
    read: ({ json, headers }) => ({
      job_id: jobIdIn(json) ?? idAtEndOf(headers) ?? noId(),
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
    ...requestOf(api.job, { job_id: jobId }),
    repeatable: true,
    mayBePending: true,
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
  const job = findRow(json, JOB_FIELDS);
  return JOB_FIELDS.some((name) => job[name] !== undefined) ? job : rowWith(json, ['status']);
}

const IS_OVER = ['completed', 'succeeded', 'failed'];
const GOES_ON = ['running', 'processing'];

function wordOf(status: unknown): string {
  return typeof status === 'string' ? status.trim().toLowerCase() : '';
}

/**
 * Whether a job is over (interface: States, refresh job): by its documented status, `completed_at`, and
 * `Retry-After`, which is sent only while a job runs. The counts decide when these say nothing or
 * contradict each other.
 *
 * @param askedToComeBack the answer carried `Retry-After`.
 */
export function isFinished(job: Row, askedToComeBack: boolean): boolean {
  const word = wordOf(job.status);
  const isDated = Boolean(job.completed_at);
  if (GOES_ON.includes(word)) {
    return !askedToComeBack && (isDated || allCounted(job.summary, true) === true);
  }
  if (isDated) return true;
  const counted = allCounted(job.summary, askedToComeBack);
  return counted ?? (!askedToComeBack && IS_OVER.includes(word));
}

/** Whether the counts say that no domain is left; undefined when they say nothing. */
function allCounted(summary: unknown, askedToComeBack: boolean): boolean | undefined {
  const counts = isRow(summary) ? summary : {};
  const [processing, succeeded, failed, total] = [
    counts.processing,
    counts.succeeded,
    counts.failed,
    counts.total,
  ].map((count) => countOf(count));
  if (processing !== undefined && processing > 0) return false;
  const areKnown = succeeded !== undefined && failed !== undefined && total !== undefined;
  if (areKnown && total > 0 && succeeded + failed >= total) return true;
  // Nothing may be processing yet.
  if (processing !== undefined && askedToComeBack) return false;
  return processing === 0 && total === 0 ? true : undefined;
}

/** What a job says about each of its domains, by the form in which {@link domainKey} compares them. */
export function domainStates(job: Row, finished: boolean): Map<string, DomainState> {
  const entries = Array.isArray(job.domains) ? job.domains.filter(isRow) : [];
  return new Map(
    entries.flatMap((entry): Array<[string, DomainState]> => {
      if (typeof entry.domain !== 'string') return [];
      const status = typeof entry.status === 'string' ? entry.status : 'unknown';
      const error = entry.error ?? null;
      const isOver = finished || error !== null || IS_OVER.includes(wordOf(status));
      return [[domainKey(entry.domain), { status, error, finished: isOver }]];
    }),
  );
}

function idOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function jobIdIn(json: unknown): string | undefined {
  return isRow(json) ? idOf(findRow(json, ['job_id']).job_id) : undefined;
}

/** The job's own address names it. */
function idAtEndOf(headers: Headers): string | undefined {
  const [, id] = /(?:^|\/)jobs\/([^/?#]+)/.exec(headers.location ?? '') ?? [];
  return id === undefined ? undefined : percentDecoded(id);
}

function noId(): never {
  throw invalidResponse('The answer names no job');
}
